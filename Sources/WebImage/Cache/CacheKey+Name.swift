import FoundationEssentials

extension CacheKey {
    /// Pixels per point that the file's name says: 2 for `photo@2x.jpg`, 3 for `photo@3x.jpg`, also where the `@` is
    /// written `%40`; otherwise 1. Hosts, folders, queries and fragments say nothing.
    public var scaleFactor: Double {
        let name = fileName
        for (digit, scale) in [("2", 2.0), ("3", 3.0)] {
            let isNamed = ["@", "%40"].contains { name.firstRange(of: "\($0)\(digit)x.".utf8) != nil }
            if isNamed { return scale }
        }
        return 1
    }

    /// What follows the last dot of the file's name, as it is written; nil where there is none.
    public var fileExtension: String? {
        let name = fileName
        // A dot that begins the name hides the file and is no extension's.
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let text = String(Substring(name[name.index(after: dot)...]))
        return text.isEmpty ? nil : text
    }

    /// The last component of the path; empty where a URL has none, and for one that holds its data itself.
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
