/// An answer in memcached's meta protocol.
struct MetaReply: Equatable, Sendable {
    enum Status: String {
        /// With a value.
        case value = "VA"
        case done = "HD"
        /// There is none.
        case miss = "EN"
        case notStored = "NS"
        /// Another version is there.
        case exists = "EX"
        case notFound = "NF"
    }

    let status: Status
    let data: [UInt8]
    private let flags: [Substring]

    init(status: Status, data: [UInt8] = [], flags: [Substring] = []) {
        self.status = status
        self.data = data
        self.flags = flags
    }

    /// Whether this reader has leave to make the value.
    var wins: Bool { flags.contains("W") }
    /// Whether another one has it.
    var isBeingMade: Bool { flags.contains("Z") }
    var isStale: Bool { flags.contains("X") }
    /// The version of the value.
    var version: UInt64? { flags.first { $0.first == "c" }.flatMap { UInt64($0.dropFirst()) } }
}

/// Takes answers out of the bytes of a connection.
struct MetaReplyReader {
    /// More than a line of the protocol has.
    private static let longestLine = 2048

    private let longestValue: Int
    private var bytes: [UInt8] = []
    /// The beginning of the next answer.
    private var start = 0

    /// - Parameter longestValue: An answer with a longer one is refused.
    init(longestValue: Int) { self.longestValue = longestValue }

    mutating func add(_ more: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// The next answer; nil as long as it is not complete.
    mutating func next() throws(MemcachedFailure) -> MetaReply? {
        guard let end = bytes[start...].firstIndex(of: 13) else {
            if bytes.count - start > Self.longestLine { throw .notMemcached }
            return nil
        }
        guard end - start <= Self.longestLine else { throw .notMemcached }
        guard end + 1 < bytes.count else { return nil }
        guard bytes[end + 1] == 10 else { throw .notMemcached }
        let words = String(decoding: bytes[start..<end], as: UTF8.self).split(separator: " ")
        guard let name = words.first else { throw .notMemcached }
        guard let status = MetaReply.Status(rawValue: String(name)) else {
            throw ["SERVER_ERROR", "CLIENT_ERROR", "ERROR"].contains(name)
                ? .refused(words.joined(separator: " ")) : .notMemcached
        }
        guard status == .value else {
            start = end + 2
            return MetaReply(status: status, flags: Array(words.dropFirst()))
        }
        guard words.count > 1, let count = Int(words[1]), 0...longestValue ~= count else { throw .notMemcached }
        let value = end + 2
        guard bytes.count >= value + count + 2 else { return nil }
        guard bytes[value + count] == 13, bytes[value + count + 1] == 10 else { throw .notMemcached }
        start = value + count + 2
        return MetaReply(
            status: status, data: Array(bytes[value..<value + count]), flags: Array(words.dropFirst(2)))
    }
}
