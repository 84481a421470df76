import FoundationEssentials

extension ImageFormat {
    /// The number of bytes that suffice to detect a format, except SVG, and HEIF and AVIF with an ambiguous first
    /// brand.
    package static let sniffedByteCount = 32

    /// The format detected from a file's bytes; `.undefined` for none.
    ///
    /// Names, extensions and media types are ignored: servers get them wrong. Data of any length are accepted.
    public init(sniffing data: Data) {
        let head = [UInt8](data.prefix(Self.sniffedByteCount))
        self =
            Self.signatures.first { $0.matches(head) }?.format
            ?? Self.isoMediaFormat([UInt8](data.prefix(Self.brandsByteCount)))
            ?? (XMLProlog.rootElement(of: data) == "svg" ? .svg : .undefined)
    }

    /// The maximum end of the brand list in HEIF and AVIF files; real ones have up to ten brands.
    private static let brandsByteCount = 256

    private struct Signature {
        let format: ImageFormat
        let bytes: [UInt8]
        var tail: (offset: Int, bytes: [UInt8])?

        func matches(_ head: [UInt8]) -> Bool {
            guard head.starts(with: bytes) else { return false }
            guard let tail else { return true }
            return head.dropFirst(tail.offset).starts(with: tail.bytes)
        }
    }

    private static let signatures: [Signature] = [
        Signature(format: .jpeg, bytes: [0xFF, 0xD8, 0xFF]),
        Signature(format: .png, bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(format: .gif, bytes: Array("GIF87a".utf8)),
        Signature(format: .gif, bytes: Array("GIF89a".utf8)),
        Signature(format: .webP, bytes: Array("RIFF".utf8), tail: (8, Array("WEBP".utf8))),
        Signature(format: .tiff, bytes: [0x49, 0x49, 0x2A, 0x00]),
        Signature(format: .tiff, bytes: [0x4D, 0x4D, 0x00, 0x2A]),
        Signature(format: .tiff, bytes: [0x49, 0x49, 0x2B, 0x00]),
        Signature(format: .tiff, bytes: [0x4D, 0x4D, 0x00, 0x2B]),
        Signature(format: .bmp, bytes: Array("BM".utf8)),
        Signature(format: .pdf, bytes: Array("%PDF".utf8)),
        Signature(format: .jpegXL, bytes: [0xFF, 0x0A]),
        Signature(format: .jpegXL, bytes: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature(format: .ico, bytes: [0, 0, 1, 0]),
        Signature(format: .ico, bytes: [0, 0, 2, 0]),
    ]

    /// The formats that can be detected from bytes.
    static let sniffed = Set(signatures.map(\.format)).union([.heic, .heif, .avif, .svg])

    /// HEIF and AVIF share a container and differ by brand (ISO/IEC 23008-12 §10.2, AVIF §6).
    private static func isoMediaFormat(_ head: [UInt8]) -> ImageFormat? {
        guard head.dropFirst(4).starts(with: Array("ftyp".utf8)), head.count >= 12 else { return nil }
        switch String(decoding: head[8..<12], as: UTF8.self) {
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "hevx": return .heic
        case "mif1", "msf1":
            // The major brand is ambiguous; a compatible brand, from byte 16 to the end of the box, decides.
            let end = min(head.count, head[..<4].reduce(0) { $0 << 8 | Int($1) })
            let brands = stride(from: 16, to: end - 3, by: 4).map {
                String(decoding: head[$0..<$0 + 4], as: UTF8.self)
            }
            return brands.contains("avif") || brands.contains("avis") ? .avif : .heif
        default: return nil
        }
    }

    /// A description of bytes that are not a picture, for an error message.
    package static func impression(of data: Data) -> String {
        let head = textHead(of: data)
        if head.hasPrefix("<!doctype html") || head.contains("<html") { return "an HTML page" }
        if head.hasPrefix("<") { return "XML" }
        if head.hasPrefix("{") || head.hasPrefix("[") { return "JSON" }
        let isText = head.unicodeScalars.allSatisfy {
            ($0.value >= 32 && $0 != "\u{FFFD}") || $0.properties.isWhitespace
        }
        return isText ? "text" : "of no known format"
    }

    private static func textHead(of data: Data) -> String {
        var text = String(decoding: data.prefix(1024), as: UTF8.self)
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        return text.drop { $0.isWhitespace }.lowercased()
    }
}
