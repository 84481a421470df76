import Glibc

/// A document's bytes in an encoding that leaves ASCII as it is, searched by the C library: fast also in builds without
/// the optimizer.
struct SVGMarkup {
    let bytes: [UInt8]

    func index(of byte: UInt8, from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    func hasPrefix(_ text: StaticString, at start: Int) -> Bool {
        text.withUTF8Buffer { bytes[min(start, bytes.count)...].starts(with: $0) }
    }

    /// The end of the next occurrence of `text`; that of the document where there is none.
    func end(of text: StaticString, from start: Int) -> Int {
        var place = start
        while let found = index(of: text.utf8Start.pointee, from: place) {
            if hasPrefix(text, at: found) { return found + text.utf8CodeUnitCount }
            place = found + 1
        }
        return bytes.count
    }

    func string(in range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
