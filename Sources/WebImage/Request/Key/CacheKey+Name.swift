import FoundationEssentials
import Glibc

extension CacheKey {
    /// Pixels per point according to the file's name: 2 for `photo@2x.jpg`, 3 for `photo@3x.jpg`, also where the `@` is
    /// written `%40`; otherwise 1. Hosts, folders, queries and fragments do not count.
    public var scaleFactor: Double {
        // Every load calls this, and nearly no key has a mark anywhere: only those that do are parsed.
        guard string.withUTF8Bytes(Self.mayHaveMark) else { return 1 }
        return Array(fileName).withUnsafeBytes(Self.markedScale) ?? 1
    }

    private static func mayHaveMark(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return false }
        return memchr(start, Int32(UInt8(ascii: "@")), text.count) != nil
            || memchr(start, Int32(UInt8(ascii: "%")), text.count) != nil
    }

    /// The scale of the first `@2x.` or `@3x.` in `text`.
    private static func markedScale(in text: UnsafeRawBufferPointer) -> Double? {
        for dot in text.indices.dropFirst(3) where text[dot] == UInt8(ascii: ".") && text[dot - 1] == UInt8(ascii: "x")
        {
            let digit = text[dot - 2]
            guard digit == UInt8(ascii: "2") || digit == UInt8(ascii: "3") else { continue }
            let before = text[..<(dot - 2)]
            if before.last == UInt8(ascii: "@") || before.suffix(3).elementsEqual("%40".utf8) {
                return Double(digit - UInt8(ascii: "0"))
            }
        }
        return nil
    }

    /// What follows the last dot of the file's name, as it is written; nil where there is none.
    public var fileExtension: String? {
        let name = fileName
        // A dot at the start of the name hides the file and begins no extension.
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let text = String(Substring(name[name.index(after: dot)...]))
        return text.isEmpty ? nil : text
    }

    /// The last component of the path; empty for a URL without one, and for a `data:` URL.
    private var fileName: Substring.UTF8View {
        let text = string.utf8
        if text.starts(with: "data:".utf8) { return text.suffix(0) }
        let pathEnd = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
        let path = text[..<pathEnd]
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
        let isHost = path[...slash].suffix(3).elementsEqual("://".utf8)
        return isHost ? path.suffix(0) : path[path.index(after: slash)...]
    }
}
