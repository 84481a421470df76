import FoundationEssentials

extension CacheKey {
    /// The key of a thumbnail made from the picture called by this key: `a.jpg` becomes
    /// `a-Thumbnail({300.000000,200.000000},1).jpg`.
    package func thumbnail(_ size: PixelSize, preservesAspectRatio: Bool) -> CacheKey {
        let box = "{\(size.width).000000,\(size.height).000000}"
        return appending("-Thumbnail(\(box),\(preservesAspectRatio ? 1 : 0))")
    }

    /// The key of the same file decoded in another way. Never a disk key: the file is the same.
    package func variant(_ text: String) -> CacheKey { CacheKey("\(string)\u{0}\(text)") }

    /// Puts `suffix` before the file name extension, so that the name still says what the file is; query, fragment and
    /// credentials stay where they were. Without an extension it goes to the very end.
    private func appending(_ suffix: String) -> CacheKey {
        let pathEnd = string.firstIndex { $0 == "?" || $0 == "#" } ?? string.endIndex
        let path = string[..<pathEnd]
        let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let text = isURL ? suffix.escapingBraces : suffix
        // A dot that starts the name is not an extension's, and neither is one in the host.
        guard let dot = path[nameStart...].lastIndex(of: "."), dot != nameStart, !isHost(nameStart) else {
            return CacheKey(string + text)
        }
        return CacheKey("\(string[..<dot])\(text)\(string[dot...])")
    }

    private var isURL: Bool { string.firstRange(of: "://") != nil }

    private func isHost(_ nameStart: String.Index) -> Bool { string[..<nameStart].hasSuffix("://") }
}

extension String {
    /// The characters of derived keys that a URL may not hold (RFC 3986 §2).
    fileprivate var escapingBraces: String {
        replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("#", with: "%23")
    }
}
