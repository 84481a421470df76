import FoundationEssentials

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
    let data: Data
    private let flags: [Substring]

    init(status: Status, data: Data = Data(), flags: [Substring] = []) {
        self.status = status
        self.data = data
        self.flags = flags
    }

    /// Whether this reader has leave to make the value.
    var wins: Bool { flags.contains("W") }
    /// Whether another one has it.
    var isBeingMade: Bool { flags.contains("Z") }
    var isStale: Bool { flags.contains("X") }
    /// Seconds until it expires; nil for never.
    var secondsLeft: Int? {
        flags.first { $0.first == "t" }.flatMap { Int($0.dropFirst()) }.flatMap { $0 < 0 ? nil : $0 }
    }
    /// The version of the value.
    var version: UInt64? { flags.first { $0.first == "c" }.flatMap { UInt64($0.dropFirst()) } }
}
