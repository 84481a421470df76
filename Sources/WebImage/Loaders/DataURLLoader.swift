import FoundationEssentials

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
        guard address.count >= start, let comma = address.firstIndex(of: UInt8(ascii: ",")) else {
            throw .invalidAddress("a data: address has a comma before its data; this one has none")
        }
        let header = String(decoding: address[start..<comma], as: UTF8.self).lowercased()
        let isBase64 = isBase64(header)
        let content = withoutFragment(address[(comma + 1)...], isMarkup: !isBase64 && header.contains("svg"))
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
    private static func withoutFragment(
        _ content: Slice<UnsafeRawBufferPointer>, isMarkup: Bool
    ) -> Slice<UnsafeRawBufferPointer> {
        guard isMarkup, let end = endOfTags(content) else { return content.prefix { $0 != UInt8(ascii: "#") } }
        let rest = content[end...]
        return rest.starts(with: "#".utf8) || rest.starts(with: "%23".utf8) ? content[..<end] : content
    }

    /// The place behind the last `>`, escaped or not.
    private static func endOfTags(_ content: Slice<UnsafeRawBufferPointer>) -> Int? {
        var rest = content
        while let last = rest.last {
            if last == UInt8(ascii: ">") || ["%3E", "%3e"].contains(where: { rest.suffix(3).elementsEqual($0.utf8) }) {
                return rest.endIndex
            }
            rest.removeLast()
        }
        return nil
    }

    private static func decodePercents(_ content: Slice<UnsafeRawBufferPointer>) throws(WebImageError) -> [UInt8] {
        guard let bytes = PercentEncoding.decode(content) else {
            throw .invalidAddress("a % in its data is not followed by two hexadecimal digits; write % itself as %25")
        }
        return bytes
    }

    /// Digits that are decoded at once: an address of megabytes is never there several times.
    private static let pieceSize = 64 << 10

    /// Line breaks and spaces are skipped and the padding may be missing, as in browsers.
    private static func decodeBase64(_ content: Slice<UnsafeRawBufferPointer>) throws(WebImageError) -> Data {
        var (data, digits, decodedCount) = (Data(), [UInt8](), 0)
        data.reserveCapacity(content.count / 4 * 3)
        var rest = content
        while !rest.isEmpty {
            let piece = rest.prefix(lengthOfPiece(rest))
            rest = rest.dropFirst(piece.count)
            digits += try self.digits(in: piece)
            // Padding ends all of it, and so nothing before it.
            guard !rest.isEmpty, !digits.contains(UInt8(ascii: "=")) else { continue }
            let whole = digits.prefix(digits.count / 4 * 4)
            data += try bytes(of: whole, after: decodedCount)
            decodedCount += whole.count
            digits.removeFirst(whole.count)
        }
        if digits.count % 4 != 0, digits.last != UInt8(ascii: "=") {
            digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 4 - digits.count % 4))
        }
        data += try bytes(of: digits[...], after: decodedCount)
        return data
    }

    /// No escape is cut.
    private static func lengthOfPiece(_ content: Slice<UnsafeRawBufferPointer>) -> Int {
        guard content.count > pieceSize else { return content.count }
        let end = content.prefix(pieceSize).suffix(2)
        return pieceSize - (end.firstIndex(of: UInt8(ascii: "%")).map { end.endIndex - $0 } ?? 0)
    }

    private static func digits(in piece: Slice<UnsafeRawBufferPointer>) throws(WebImageError) -> [UInt8] {
        var digits = piece.contains(UInt8(ascii: "%")) ? try decodePercents(piece) : Array(piece)
        if digits.contains(where: { $0 <= 0x20 }) { digits.removeAll { $0 <= 0x20 } }
        return digits
    }

    private static func bytes(of digits: ArraySlice<UInt8>, after count: Int) throws(WebImageError) -> Data {
        guard let data = Data(base64Encoded: Data(digits)) else {
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
