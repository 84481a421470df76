extension CacheKey {
    /// The key of a thumbnail made from the picture called by this key: `a.jpg` becomes
    /// `a-Thumbnail({300.000000,200.000000},1).jpg`.
    package func thumbnail(_ size: PixelSize, preservesAspectRatio: Bool, covers: Bool = false) -> CacheKey {
        let box = "{\(size.width).000000,\(size.height).000000}"
        let proportions = !preservesAspectRatio ? "0" : covers ? "cover" : "1"
        return appending("-Thumbnail(\(box),\(proportions))")
    }

    /// Whether the key is that of a thumbnail, transformed or not.
    package var isThumbnail: Bool { string.contains("-Thumbnail(") }

    /// The key of a transformer's result for the picture or the thumbnail of this key: `a.jpg` becomes
    /// `a-SDImageFlippingTransformer(1,0).jpg`. The same key for the empty transformer key, of a transformer that
    /// changes nothing.
    package func transformed(_ transformerKey: String) -> CacheKey {
        transformerKey.isEmpty ? self : appending("-" + transformerKey)
    }

    /// The key of the beginning of the picture's file, which an interrupted transfer has left; on disk only.
    package var partialBody: CacheKey { CacheKey(Self.partialBodyMark + string) }

    /// Whether the key is that of the beginning of a file.
    package var isPartialBody: Bool { string.utf8.starts(with: Self.partialBodyMark.utf8) }

    private static let partialBodyMark = "partial:"

    /// The key of the same file decoded in another way. Never a disk key: the file is the same.
    package func variant(_ text: String) -> CacheKey {
        CacheKey("\(string)\u{0}\(text)", derivation: derivation)
    }

    /// Inserts `suffix` before the file name extension, so that the name still shows the format; query, fragment and
    /// credentials keep their places. Without an extension, `suffix` is appended.
    private func appending(_ suffix: String) -> CacheKey {
        // One pass over bytes: a load that memory answers spends most of its time on its key.
        var place = 0
        var added = 0
        let bytes = string.withUTF8Bytes { key in
            place = key.lengthBeforeExtension
            var bytes: [UInt8] = []
            bytes.reserveCapacity(key.count + 3 * suffix.utf8.count)
            bytes += key[..<place]
            if key.isURL {
                suffix.withUTF8Bytes { bytes.appendPercentEncoded($0) }
            } else {
                bytes += suffix.utf8
            }
            added = bytes.count - place
            bytes += key[place...]
            return bytes
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let derivation else { return CacheKey(text, derivation: KeyDerivation(start: place, count: added)) }
        return CacheKey(text, derivation: derivation.adding(added, at: place))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the text begins with a scheme and an authority.
    fileprivate var isURL: Bool {
        guard let colon = firstIndex(of: UInt8(ascii: ":")) else { return false }
        return self[colon...].starts(with: "://".utf8)
    }

    /// Bytes before the dot of the file name extension; all where there is none.
    fileprivate var lengthBeforeExtension: Int {
        let pathEnd = firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? count
        let nameStart = self[..<pathEnd].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        // A dot at the start or the end of the name begins no extension, nor does one in the host or in an earlier
        // suffix.
        guard let dot = self[nameStart..<pathEnd].lastIndex(of: UInt8(ascii: ".")), dot > nameStart,
            dot + 1 < pathEnd, self[pathEnd - 1] != UInt8(ascii: ")"),
            !self[..<nameStart].suffix(3).elementsEqual("://".utf8)
        else { return count }
        return dot
    }
}

extension [UInt8] {
    /// Appends text as a part of a URL's last path component, with other characters percent-encoded (RFC 3986 §3.3).
    fileprivate mutating func appendPercentEncoded(_ text: UnsafeRawBufferPointer) {
        for byte in text {
            if byte.isPathCharacter {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append((byte >> 4).hexDigit)
                append((byte & 15).hexDigit)
            }
        }
    }
}

extension UInt8 {
    /// Letters, digits, and the marks that RFC 3986 allows in a path segment.
    fileprivate var isPathCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "&")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: ";"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// 0 to 15 as a digit.
    fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}

extension CacheKey {
    /// The entry of what is known about a picture's tiles, which is removed with the picture.
    package var ofTileIndex: CacheKey { CacheKey(Self.tileIndexMark + string) }

    private static let tileIndexMark = "tiles of "

    /// Whether the entry is a picture's file, and nothing that the cache notes beside it.
    package var isPicture: Bool { !isPartialBody && !string.utf8.starts(with: Self.tileIndexMark.utf8) }
}
