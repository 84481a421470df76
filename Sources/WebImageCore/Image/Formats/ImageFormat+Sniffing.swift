import FoundationEssentials

extension ImageFormat {
    /// The number of bytes that suffice to detect a format, except SVG, and HEIF, AVIF and MP4 with an ambiguous first
    /// brand.
    package static let sniffedByteCount = 32

    /// The format detected from a file's bytes; `.undefined` for none.
    ///
    /// Names, extensions and media types are ignored: servers get them wrong. Data of any length are accepted.
    public init(sniffing data: Data) {
        let head = [UInt8](data.prefix(Self.sniffedByteCount))
        self  // Before icons, whose signature may be the length of a box.
        =
            ISOMediaBrands.formatWithoutBrands(head)
            ?? Self.signatures.first { $0.matches(head) }?.format
            ?? ISOMediaBrands([UInt8](data.prefix(Self.brandsByteCount)))?.format
            ?? Self.matroskaFormat([UInt8](data.prefix(Self.documentTypeByteCount)))
            ?? (XMLProlog.rootElement(of: data) == "svg" ? .svg : .undefined)
    }

    /// The maximum end of the brand list in HEIF, AVIF and MP4 files; real ones have up to ten brands.
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
    package static let sniffed = Set(signatures.map(\.format)).union([.heic, .heif, .avif, .svg, .webM, .mp4])

    /// The maximum end of the document's type in WebM files; it stands behind a few numbers.
    private static let documentTypeByteCount = 64

    /// WebM is a Matroska file (RFC 9559) of one of these types.
    private static func matroskaFormat(_ head: [UInt8]) -> ImageFormat? {
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        // Behind its number, the type's length takes one byte or more, and may count zeros at its end.
        guard let number = head.firstRange(of: [0x42, 0x82]) else { return nil }
        let rest = head[number.upperBound...].drop { $0 == 0x01 || $0 == 0x00 }.prefix(18)
        let type = String(decoding: rest.drop { !(0x61...0x7A).contains($0) }, as: UTF8.self)
        return type.hasPrefix("webm") || type.hasPrefix("matroska") ? .webM : nil
    }

    /// A description of bytes that are not a picture, for an error message; nil for what is no text.
    package static func textKind(of data: Data) -> String? {
        let head = textHead(of: data)
        if head.hasPrefix("<!doctype html") || head.contains("<html") { return "an HTML page" }
        if head.hasPrefix("<") { return "XML" }
        if head.hasPrefix("{") || head.hasPrefix("[") { return "JSON" }
        let isText = head.unicodeScalars.allSatisfy {
            ($0.value >= 32 && $0 != "\u{FFFD}") || $0.properties.isWhitespace
        }
        return isText ? "text" : nil
    }

    private static func textHead(of data: Data) -> String {
        var text = String(decoding: data.prefix(1024), as: UTF8.self)
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        return text.drop { $0.isWhitespace }.lowercased()
    }
}
