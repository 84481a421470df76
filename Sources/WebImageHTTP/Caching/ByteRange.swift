import FoundationEssentials

/// The one range of a `Range` field (RFC 9110 §14.1.2).
package struct ByteRange: Sendable {
    private let first: Int?
    private let last: Int?

    /// nil for anything but one range of bytes.
    package init?(_ field: String) {
        let text = field.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let parts = String(decoding: text, as: UTF8.self).lowercased().split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0] == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        (first, last) = (Int(ends[0]), Int(ends[1]))
        guard first != nil || last != nil else { return nil }
        if let first, let last, last < first { return nil }
    }

    /// The range within a body of `count` bytes; nil where it has none of them.
    package func range(in count: Int) -> Range<Int>? {
        guard let first else { return last.flatMap { $0 > 0 && count > 0 ? max(0, count - $0)..<count : nil } }
        guard first < count else { return nil }
        return first..<min(count, last.map { $0 < count ? $0 + 1 : count } ?? count)
    }
}
