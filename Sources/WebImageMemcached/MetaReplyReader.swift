import FoundationEssentials

/// Takes answers out of the bytes of a connection. A long value is received in place, so that none of its bytes are moved.
struct MetaReplyReader {
    /// More than a line of the protocol has.
    private static let longestLine = 2048
    private static let capacity = 16 << 10

    private let longestValue: Int
    /// Received, and not yet taken: lines, and values that came with them.
    private var bytes = [UInt8](repeating: 0, count: capacity)
    private var unread = 0..<0
    private var value: Value?

    /// A value of which not all bytes are there.
    private struct Value {
        let flags: [Substring]
        /// The value and the end of its line.
        var data: Data
        var count = 0

        var isWhole: Bool { count == data.count }

        mutating func fill(by receive: (UnsafeMutableRawBufferPointer) -> Int) {
            let start = count
            count += data.withUnsafeMutableBytes { receive(.init(rebasing: $0[start...])) }
        }
    }

    /// - Parameter longestValue: An answer with a longer one is refused.
    init(longestValue: Int) { self.longestValue = longestValue }

    /// Takes more bytes. `receive` gets room for them, and returns the number that it has written.
    mutating func fill(by receive: (UnsafeMutableRawBufferPointer) -> Int) {
        if value?.isWhole == false {
            value?.fill(by: receive)
            return
        }
        bytes.removeSubrange(..<unread.lowerBound)
        bytes += repeatElement(0, count: unread.lowerBound)
        unread = 0..<unread.count
        let start = unread.upperBound
        let count = bytes.withUnsafeMutableBytes { receive(.init(rebasing: $0[start...])) }
        unread = 0..<(start + count)
    }

    /// The next answer; nil as long as it is not complete.
    mutating func next() throws(MemcachedFailure) -> MetaReply? {
        if value != nil { return try finishedValue() }
        guard let line = try line() else { return nil }
        let words = line.split(separator: " ")
        guard let name = words.first else { throw .notMemcached }
        guard let status = MetaReply.Status(rawValue: String(name)) else {
            throw ["SERVER_ERROR", "CLIENT_ERROR", "ERROR"].contains(name) ? .refused(line) : .notMemcached
        }
        guard status == .value else { return MetaReply(status: status, flags: Array(words.dropFirst())) }
        guard words.count > 1, let count = Int(words[1]), 0...longestValue ~= count else { throw .notMemcached }
        value = Value(flags: Array(words.dropFirst(2)), data: Data(count: count + 2))
        return try finishedValue()
    }

    /// The next line without its end; nil as long as it is not complete.
    private mutating func line() throws(MemcachedFailure) -> String? {
        guard let end = bytes[unread].firstIndex(of: 13) else {
            if unread.count > Self.longestLine { throw .notMemcached }
            return nil
        }
        guard end - unread.lowerBound <= Self.longestLine else { throw .notMemcached }
        guard end + 1 < unread.upperBound else { return nil }
        guard bytes[end + 1] == 10 else { throw .notMemcached }
        defer { unread = (end + 2)..<unread.upperBound }
        return String(decoding: bytes[unread.lowerBound..<end], as: UTF8.self)
    }

    /// The answer with the value, once all of it is there.
    private mutating func finishedValue() throws(MemcachedFailure) -> MetaReply? {
        guard var value = value.take() else { return nil }
        let received = bytes[unread].prefix(value.data.count - value.count)
        value.data.replaceSubrange(value.count..<(value.count + received.count), with: received)
        value.count += received.count
        unread = (unread.lowerBound + received.count)..<unread.upperBound
        guard value.isWhole else {
            self.value = value
            return nil
        }
        guard value.data.suffix(2).elementsEqual([13, 10]) else { throw .notMemcached }
        return MetaReply(status: .value, data: value.data.dropLast(2), flags: value.flags)
    }
}
