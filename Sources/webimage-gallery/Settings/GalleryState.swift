import CGtk4
import FoundationEssentials

/// The memory of the program from one time to the next.
nonisolated struct GalleryState: Equatable, Sendable {
    /// None for the built-in pictures.
    var sources: [PictureSource] = []
    /// The picture at the top of the window; nil for the first one.
    var top: URL?
    var order = PictureOrder()
    var transition = CellTransition.standard
    var diskLimit = DiskLimit.standard
    var width = 1280
    var height = 900
    var isMaximized = false

    /// More sources, of a drop of many files, are not remembered.
    static let sourceLimit = 100_000

    /// The file of this user.
    static var defaultFile: String { "\(String(cString: g_get_user_state_dir()))/webimage-gallery/state.ini" }

    /// The state in a file; a value that the file lacks, or has wrongly, is the initial one.
    init(file: String) {
        let keys = KeyFile(file)
        sources = keys.strings("sources").compactMap { PictureSource($0) }
        top = keys.string("top").flatMap { URL(string: $0) }
        order.key = keys.string("sort").flatMap(PictureOrder.Key.init) ?? order.key
        order.isDescending = keys.boolean("descending")
        transition = keys.string("transition").flatMap(CellTransition.init) ?? transition
        diskLimit = keys.string("disk-limit").flatMap(DiskLimit.init) ?? diskLimit
        isMaximized = keys.boolean("maximized")
        // A size that no screen has is a mistake.
        let sides = 200...16_384
        if let number = keys.integer("width"), sides.contains(number) { width = number }
        if let number = keys.integer("height"), sides.contains(number) { height = number }
    }

    init() {}

    /// Writes what is not as it was into a file, completely or not at all. The rest of the file stays as another window may
    /// have written it.
    ///
    /// - Parameter old: nil to write everything.
    func write(to file: String, since old: GalleryState? = nil) throws(SourceProblem) {
        let keys = KeyFile(file)
        if sources != old?.sources {
            keys.set("sources", sources.count <= Self.sourceLimit ? sources.map(\.address) : [])
            // A file that is written must be small enough to be read again.
            if keys.byteCount > KeyFile.byteLimit / 2 { keys.set("sources", [String]()) }
        }
        if top != old?.top { keys.set("top", top?.absoluteString ?? "") }
        if order.key != old?.order.key { keys.set("sort", order.key.rawValue) }
        if order.isDescending != old?.order.isDescending { keys.set("descending", order.isDescending) }
        if transition != old?.transition { keys.set("transition", transition.rawValue) }
        if diskLimit != old?.diskLimit { keys.set("disk-limit", diskLimit.rawValue) }
        if width != old?.width { keys.set("width", width) }
        if height != old?.height { keys.set("height", height) }
        if isMaximized != old?.isMaximized { keys.set("maximized", isMaximized) }
        try keys.write(to: file)
    }
}

/// The limits of the cache on disk that can be chosen.
nonisolated enum DiskLimit: String, CaseIterable, Sendable {
    case small = "250M"
    case medium = "1G"
    case standard = "4G"
    case large = "16G"
    case unlimited = "unlimited"

    /// nil for none.
    var byteCount: Int? {
        switch self {
        case .small: 250 << 20
        case .medium: 1 << 30
        case .standard: 4 << 30
        case .large: 16 << 30
        case .unlimited: nil
        }
    }

    var title: String {
        switch self {
        case .small: "250 MB"
        case .medium: "1 GB"
        case .standard: "4 GB"
        case .large: "16 GB"
        case .unlimited: "No limit"
        }
    }
}
