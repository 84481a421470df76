import FoundationEssentials

/// The numbers by which an entry counts: of everything, and of its picture. The bytes of an entry begin with them.
struct Generations: Equatable, Sendable {
    /// 16 bytes.
    let header: [UInt8]

    private static let length = 8

    /// nil where a server has lost one of them, and with it the entries that it stood for.
    init?(_ all: MetaReply, _ group: MetaReply) {
        guard [all, group].allSatisfy({ $0.status == .value && $0.data.count == Self.length }) else { return nil }
        header = Array(all.data + group.data)
    }

    /// A number that was none before: a counter would begin again when a server has lost it.
    static var fresh: [UInt8] { withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Array($0) } }
}

extension Generations {
    /// The content of an entry behind its numbers; nil where they are others.
    func content(of bytes: Data) -> Data? {
        bytes.starts(with: header) ? bytes.dropFirst(header.count) : nil
    }
}
