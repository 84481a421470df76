import FoundationEssentials
import Glibc

extension CacheKey {
    /// Pixels per point according to the file's name: 2 for `photo@2x.jpg`, 3 for `photo@3x.jpg`, also where the `@` is
    /// written `%40`; otherwise 1. Hosts, folders, queries and fragments do not count.
    package var scaleFactor: Double {
        // Every load calls this, and nearly no key has a mark anywhere: only those that do are parsed.
        guard string.withUTF8Bytes(Self.mayHaveMark) else { return 1 }
        return string.withUTF8Bytes { Self.markedScale(in: UnsafeRawBufferPointer(rebasing: $0.fileName)) } ?? 1
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

    /// The text after the last dot of the file's name, as it is written; nil without a dot.
    package var fileExtension: String? {
        string.withUTF8Bytes { text in
            let name = text.fileName
            // A dot that begins the name hides the file and is no extension's.
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex, dot + 1 < name.endIndex
            else { return nil }
            return String(decoding: name[(dot + 1)...], as: UTF8.self)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The last component of the path; empty where a URL has none, and for one that holds its data itself.
    fileprivate var fileName: Slice<UnsafeRawBufferPointer> {
        if starts(with: "data:".utf8) { return self[endIndex...] }
        let path = self[..<(firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? endIndex)]
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
        let isHost = path[...slash].suffix(3).elementsEqual("://".utf8)
        return isHost ? path[path.endIndex...] : path[(slash + 1)...]
    }
}
