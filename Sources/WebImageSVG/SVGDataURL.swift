import FoundationEssentials
import WebImageCore

/// The content of the head of a picture's `data:` URL (RFC 2397) and of its first bytes.
struct SVGDataURL {
    /// In lower case, without parameters; empty where there is none, as Illustrator writes it.
    let mediaType: String
    /// The media type by which librsvg finds the right loader; nil for what is no picture that is drawn.
    ///
    /// librsvg 2.54 chooses by the type, and browsers by the first bytes. Wrong types are common, such as `image/jpg`.
    let drawnType: String?
    /// Whether there is more than a media type and the encoding. librsvg 2.60 takes a document whose type has a parameter, such
    /// as `charset=utf-8`, for an unknown picture.
    let hasParameters: Bool
    private let isBase64: Bool
    /// The number of bytes up to the comma, which is among them.
    let headCount: Int

    private static let longestHead = 200
    /// Enough for a signature, with the line ends before and in it.
    private static let sniffedCount = 256
    private static let documentType = "image/svg+xml"
    private static let types: [ImageFormat: String] = [
        .jpeg: "image/jpeg", .png: "image/png", .gif: "image/gif", .webP: "image/webp",
    ]

    /// - Parameter url: As it stands in the document.
    /// - Returns: nil for other addresses.
    init?(_ url: ArraySlice<UInt8>) {
        let head = url.prefix(Self.longestHead).prefix { $0 != UInt8(ascii: ",") }
        let words = String(decoding: head.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
            .split(separator: ";", omittingEmptySubsequences: false)
        guard let first = words.first, first.hasPrefix("data:") else { return nil }
        mediaType = String(first.dropFirst("data:".count))
        isBase64 = words.count > 1 && words.last == "base64"
        hasParameters = words.count > (isBase64 ? 2 : 1)
        headCount = min(head.count + 1, url.count)
        let body = Self.withoutReferences(url.dropFirst(headCount).prefix(Self.sniffedCount))
        let format = ImageFormat(sniffing: isBase64 ? Self.fromBase64(body) : Self.fromPercents(body))
        drawnType = Self.types[format] ?? (mediaType == Self.documentType ? mediaType : nil)
    }

    /// The text before the picture of `type`, the comma included.
    func head(for type: String) -> String { "data:\(type)" + (isBase64 ? ";base64," : ",") }

    /// Without references to characters, as which line ends are often written.
    private static func withoutReferences(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isReference = false
        for byte in text where byte > 0x20 {
            if byte == UInt8(ascii: "&") { isReference = true }
            if !isReference { result.append(byte) }
            if byte == UInt8(ascii: ";") { isReference = false }
        }
        return result
    }

    private static func fromBase64(_ text: [UInt8]) -> Data {
        // The padding may be written by percents.
        let letters = text.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "%") }
        return Data(base64Encoded: Data(letters.prefix(letters.count & ~3))) ?? Data()
    }

    private static func fromPercents(_ text: [UInt8]) -> Data {
        var (result, rest) = (Data(), text[...])
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? rest.prefix(2) : []
            let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            result.append(value ?? byte)
            if value != nil { rest = rest.dropFirst(2) }
        }
        return result
    }
}
