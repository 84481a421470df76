import FoundationEssentials
import WebImage
import WebImageAVIF

/// Pictures that are decoded by workers.
protocol WorkerPicture: Sendable {
    static var name: String { get }
    static var what: String { get }
    static var goal: Double { get }
    static var repeats: Int { get }
    static var coder: ImageCodersManager { get }
    /// Whether the pixels are copied into memory of this process's own.
    static var copiesPixels: Bool { get }
    /// Writes them to a folder, where they are not there.
    static func files(in folder: String) throws -> [URL]
}

extension WorkerPicture {
    static var repeats: Int { 1 }
    static var coder: ImageCodersManager { WorkerCoders.perPicture }
    static var copiesPixels: Bool { false }

    static func write(_ data: Data, to folder: String) throws -> [URL] {
        let file = URL(filePath: "\(folder)/picture")
        try data.write(to: file)
        return [file]
    }
}

enum WorkerJPEG: WorkerPicture {
    static let name = "jpeg-12mp"
    static let what = "12-megapixel JPEG"
    static let goal = 0.85
    static func files(in folder: String) throws -> [URL] {
        try write(SamplePhoto.twelveMegapixels.jpeg(), to: folder)
    }
}

enum WorkerAVIF: WorkerPicture {
    static let name = "avif-12mp"
    static let what = "12-megapixel AVIF"
    static let goal = 0.85
    static func files(in folder: String) throws -> [URL] {
        try write(SamplePhoto.twelveMegapixels.encoded(to: .avif, by: .avif), to: folder)
    }
}

/// The same, with a copy of the pixels for the app.
enum WorkerCopy<Picture: WorkerPicture>: WorkerPicture {
    static var name: String { "\(Picture.name)-copied" }
    static var what: String { "\(Picture.what) and a copy" }
    static var goal: Double { 1.15 }
    static var copiesPixels: Bool { true }
    static func files(in folder: String) throws -> [URL] { try Picture.files(in: folder) }
}

enum WorkerSmallJPEG: WorkerPicture {
    static let name = "jpeg-small"
    static let what = "0.3-megapixel JPEG"
    static let goal = 1.05
    static let repeats = 20
    static func files(in folder: String) throws -> [URL] {
        try write(SamplePhoto(size: PixelSize(width: 640, height: 480)).jpeg(), to: folder)
    }
}

/// The icons of a theme, in the order of their paths.
enum WorkerIcons: WorkerPicture {
    static let name = "svg-icons"
    static let what = "200 SVG icons of Adwaita"
    static let goal = 1.3
    private static let theme = "/usr/share/icons/Adwaita"
    private static let count = 200

    static func files(in folder: String) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: theme).filter { $0.hasSuffix(".svg") }.sorted()
        guard paths.count >= count else { throw BenchmarkError("\(theme) has no \(count) icons") }
        return paths.prefix(count).map { URL(filePath: "\(theme)/\($0)") }
    }
}

/// The same by workers that are kept for the pictures of a folder.
enum WorkerPerOrigin<Picture: WorkerPicture>: WorkerPicture {
    static var name: String { "\(Picture.name)-origin" }
    static var what: String { "\(Picture.what), per origin," }
    static var goal: Double { Picture.goal }
    static var repeats: Int { Picture.repeats }
    static var coder: ImageCodersManager { WorkerCoders.perOrigin }
    static func files(in folder: String) throws -> [URL] { try Picture.files(in: folder) }
}
