import FoundationEssentials
import WebImageCore

/// Loads pictures from `data:` URLs, `data:image/png;base64,…` (RFC 2397), off the caller's thread.
public final class DataURLLoader: ImageLoader {
    private let queue = JobQueue(label: "WebImage.data-urls", limit: 2)

    /// A loader of `data:` URLs.
    public init() {}

    /// True for `data:` URLs.
    public func canLoad(_ url: URL) -> Bool { url.hasScheme("data") }

    /// Decodes the address. Its media type is ignored, since the bytes identify the format; an invalid address fails
    /// with ``WebImageError/Code/invalidURL``.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let url = request.url
        return JobLoadTask(request, queue: queue, receive: receive) { _ throws(WebImageError) in
            ImageLoadResponse(data: try DataURL.decode(url.absoluteString))
        }
    }
}

/// The form `data:[<media type>][;base64],<data>`.
enum DataURL {
    /// The bytes in `address`.
    static func decode(_ address: String) throws(WebImageError) -> Data {
        var address = address
        let result = address.withUTF8 { bytes in
            Result { () throws(WebImageError) in try decode(UnsafeRawBufferPointer(bytes)) }
        }
        return try result.get()
    }

    private static func decode(_ address: UnsafeRawBufferPointer) throws(WebImageError) -> Data {
        let start = "data:".utf8.count
        guard let comma = address.firstOffset(of: UInt8(ascii: ",")), comma >= start else {
            throw .invalidAddress("a data: address has a comma before its data; this one has none")
        }
        let header = String(decoding: address[start..<comma], as: UTF8.self).lowercased()
        let isBase64 = isBase64(header)
        let rest = UnsafeRawBufferPointer(rebasing: address[(comma + 1)...])
        let length = lengthWithoutFragment(rest, isMarkup: !isBase64 && header.contains("svg"))
        let content = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
        let data = isBase64 ? try decodeBase64(content) : Data(try decodePercents(content))
        guard !data.isEmpty else {
            throw .invalidAddress("a data: address has data after its comma; this one has none")
        }
        return data
    }

    /// Spaces around the word count as none, as in browsers.
    private static func isBase64(_ header: String) -> Bool {
        let words = header.replacing("%20", with: " ").split(separator: ";", omittingEmptySubsequences: false)
        return words.count > 1 && words.last?.split(separator: " ") == ["base64"]
    }

    /// A `#` begins a fragment, which is no part of the data. Authors of SVG forget to escape those of colours: there, only
    /// what follows the last tag is a fragment.
    private static func lengthWithoutFragment(_ content: UnsafeRawBufferPointer, isMarkup: Bool) -> Int {
        guard isMarkup, let end = endOfTags(content) else {
            return content.firstOffset(of: UInt8(ascii: "#")) ?? content.count
        }
        let rest = content[end...]
        return rest.starts(with: "#".utf8) || rest.starts(with: "%23".utf8) ? end : content.count
    }

    /// The place behind the last `>`, escaped or not.
    private static func endOfTags(_ content: UnsafeRawBufferPointer) -> Int? {
        let (plain, escaped) = (UInt8(ascii: ">"), UInt8(ascii: "e"))
        var end = content.count
        while end > 0 {
            let last = content[end - 1]
            if last == plain { return end }
            if last | 0x20 == escaped, content[..<end].suffix(3).starts(with: "%3".utf8) { return end }
            end -= 1
        }
        return nil
    }

    private static func decodePercents(_ content: UnsafeRawBufferPointer) throws(WebImageError) -> [UInt8] {
        guard let bytes = PercentEncoding.decode(content) else {
            throw .invalidAddress("a % in its data is not followed by two hexadecimal digits; write % itself as %25")
        }
        return bytes
    }

    /// Digits that are decoded at once: an address of megabytes is never there several times.
    private static let pieceSize = 64 << 10

    /// Line breaks and spaces are skipped and the padding may be missing, as in browsers.
    private static func decodeBase64(_ content: UnsafeRawBufferPointer) throws(WebImageError) -> Data {
        var (data, digits, decodedCount) = (Data(), Data(), 0)
        data.reserveCapacity(content.count / 4 * 3)
        var start = 0
        while start < content.count {
            let rest = content[start...]
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(lengthOfPiece(rest)))
            start += piece.count
            digits += try self.digits(in: piece)
            // Padding ends all of it, and so nothing before it.
            guard start < content.count, !digits.withUnsafeBytes({ $0.has(UInt8(ascii: "=")) }) else { continue }
            let whole = digits.prefix(digits.count / 4 * 4)
            data += try bytes(of: whole, after: decodedCount)
            decodedCount += whole.count
            digits = Data(digits.dropFirst(whole.count))
        }
        if digits.count % 4 != 0, digits.last != UInt8(ascii: "=") {
            digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 4 - digits.count % 4))
        }
        data += try bytes(of: digits, after: decodedCount)
        return data
    }

    /// No escape is cut.
    private static func lengthOfPiece(_ content: Slice<UnsafeRawBufferPointer>) -> Int {
        guard content.count > pieceSize else { return content.count }
        let end = content.prefix(pieceSize).suffix(2)
        return pieceSize - (end.firstIndex(of: UInt8(ascii: "%")).map { end.endIndex - $0 } ?? 0)
    }

    /// A URL has spaces and line breaks as escapes only.
    private static func digits(in piece: UnsafeRawBufferPointer) throws(WebImageError) -> Data {
        guard piece.has(UInt8(ascii: "%")) else { return Data(piece) }
        return Data(try decodePercents(piece).filter { $0 > 0x20 })
    }

    private static func bytes(of digits: Data, after count: Int) throws(WebImageError) -> Data {
        guard let data = Data(base64Encoded: digits) else {
            throw .invalidAddress(problem(of: Array(digits), after: count))
        }
        return data
    }

    private static func problem(of digits: [UInt8], after count: Int) -> String {
        let end = digits.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        guard let place = digits[..<end].firstIndex(where: { !isBase64Digit($0) }) else {
            return "its base64 data ends in the middle of a byte; it may have been cut"
        }
        return "its base64 data has a character at position \(count + place + 1) that base64 does not have"
    }

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
