/// A number of seconds, and nothing else (RFC 9111 §1.2.2).
package struct DeltaSeconds {
    /// 0 to 2^31, which stands for everything above.
    package let value: Int

    package init?(_ text: Substring.UTF8View) {
        guard !text.isEmpty, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        value = min(Int(Substring(text)) ?? 1 << 31, 1 << 31)
    }
}

extension Substring.UTF8View {
    package var trimmingBlanks: Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
    }
}
