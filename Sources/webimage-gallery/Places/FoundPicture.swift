import FoundationEssentials
import WebImage

/// A picture that was found in a source.
nonisolated struct FoundPicture: Sendable, Equatable {
    let url: URL
    /// The picture that the source shows in place of this one, for the case that this one is none.
    var preview: URL?
    /// The name of the file, for people; nil for the last part of the address.
    var name: String?
    var date: Date?
    var byteCount: Int?
    /// nil for what is on the web.
    var stamp: FileStamp?
}

/// The facts that tell two versions of a file apart.
nonisolated struct FileStamp: Hashable, Sendable {
    /// Of the last change, also one of its rights: a file that could not be read may be readable now.
    let seconds: UInt64
    let microseconds: UInt32
    let byteCount: Int?
}

/// The pictures of sources.
nonisolated struct FoundPictures: Sendable {
    var pictures: [FoundPicture] = []
    /// The places that could not be read, one sentence each.
    var complaints: [String] = []
    /// Whether the source is the picture itself, in a file.
    var isFile = false

    init(pictures: [FoundPicture] = [], complaints: [String] = [], isFile: Bool = false) {
        self.pictures = pictures
        self.complaints = complaints
        self.isFile = isFile
    }

    /// The pictures of several sources, each once.
    init(_ all: [FoundPictures]) { self = all.reduce(into: FoundPictures()) { $0.append($1) }.unique }

    /// Appends what was found elsewhere.
    mutating func append(_ other: FoundPictures) {
        pictures += other.pictures
        complaints += other.complaints
    }

    /// Each address once, in the order of the first.
    var unique: FoundPictures {
        var seen: Set<URL> = []
        var result = self
        result.pictures = pictures.filter { seen.insert($0.url).inserted }
        return result
    }
}

/// Why a source has no pictures, for people.
nonisolated struct SourceProblem: Error, Equatable {
    let message: String
    /// Whether the place is one that must be mounted first.
    var isUnmounted = false
}

nonisolated extension ImageFormat {
    /// The format that the ending of a file's name stands for; nil for none.
    init?(name: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        self.init(fileExtension: String(name[name.utf8.index(after: dot)...]))
    }

    /// Whether a file with this name is a picture that this program shows.
    static func isPicture(named name: String) -> Bool {
        ImageFormat(name: name).map { GalleryCoders.canDecode($0) } ?? false
    }

    /// Whether content of this type is a picture that this program shows.
    static func isPicture(ofType type: String) -> Bool {
        ImageFormat(mimeType: type).map { GalleryCoders.canDecode($0) } ?? false
    }
}
