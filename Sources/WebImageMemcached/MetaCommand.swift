/// A request in memcached's meta protocol (its `doc/protocol.txt`, "Meta Commands").
struct MetaCommand: Equatable, Sendable {
    let head: String
    /// The value to store; nil for other requests.
    let data: [UInt8]?

    /// Asks for a value, with how old and how large it is, and for leave to make it where there is none.
    ///
    /// - Parameter recacheSeconds: How long the first who misses is the only one who may make the value; nil to ask for none.
    static func get(_ key: String, recacheSeconds: Int? = nil) -> MetaCommand {
        MetaCommand(head: "mg \(key) v t c" + (recacheSeconds.map { " N\($0)" } ?? ""), data: nil)
    }

    enum Mode: String {
        case set = "S"
        /// Only where there is none.
        case add = "E"
    }

    /// - Parameters:
    ///   - seconds: How long it is kept; nil for as long as there is room.
    ///   - version: Only in place of the entry with this version, or of none.
    static func set(
        _ key: String, _ data: [UInt8], seconds: Int? = nil, mode: Mode = .set, version: UInt64? = nil
    ) -> MetaCommand {
        let head =
            "ms \(key) \(data.count) M\(mode.rawValue)" + (seconds.map { " T\($0)" } ?? "")
            + (version.map { " C\($0)" } ?? "")
        return MetaCommand(head: head, data: data)
    }

    /// - Parameter version: Only an entry with this version.
    static func delete(_ key: String, version: UInt64? = nil) -> MetaCommand {
        MetaCommand(head: "md \(key)" + (version.map { " C\($0)" } ?? ""), data: nil)
    }

    /// Leaves the value for those who take a stale one, and gives the next reader leave to make a new one.
    ///
    /// - Parameter version: Only an entry with this version.
    static func markStale(_ key: String, version: UInt64? = nil, seconds: Int) -> MetaCommand {
        MetaCommand(head: "md \(key) I T\(seconds)" + (version.map { " C\($0)" } ?? ""), data: nil)
    }

    /// Keeps an entry for so long from now on.
    static func touch(_ key: String, seconds: Int) -> MetaCommand {
        MetaCommand(head: "mg \(key) T\(seconds)", data: nil)
    }

    /// The bytes on the connection.
    var bytes: [UInt8] { Array(head.utf8) + [13, 10] + (data.map { $0 + [13, 10] } ?? []) }
}
