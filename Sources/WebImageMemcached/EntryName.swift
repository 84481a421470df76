/// The names of an entry and of its generations on its server.
struct EntryName: Equatable {
    /// The name that a picture and its thumbnails have in common.
    let group: String
    private let rest: String?
    private let prefix: String

    /// - Parameter path: As caches name entries: two names with a slash between them, or the first one for all that begin so.
    init(_ path: String, _ settings: MemcachedSettings) {
        let parts = path.split(separator: "/", maxSplits: 1)
        group = parts.first.map(String.init) ?? ""
        rest = parts.count == 2 ? String(parts[1]) : nil
        prefix = settings.usablePrefix
    }

    var isGroup: Bool { rest == nil }
    var entryKey: String { "\(prefix):\(group)/\(rest ?? "")" }
    var groupKey: String { "\(prefix):\(group)" }
    var allKey: String { "\(prefix):" }

    static func allKey(_ settings: MemcachedSettings) -> String { "\(settings.usablePrefix):" }
}
