import CDeflate
import FoundationEssentials
import Glibc
import WebImage

/// The XML of an SVG file, or of one compressed by gzip (RFC 1952), such as `.svgz`.
struct SVGFile {
    /// XML, as it came.
    private var document: Data
    /// The same with all markup in ASCII, which is enough to count what is in it.
    private var markup: Data
    /// Whether it is in UTF-16.
    private let isWide: Bool

    private static let gzip: [UInt8] = [0x1F, 0x8B, 8]
    /// The size of a header, an empty block and a trailer.
    private static let leastByteCount = 20
    /// Deflate's maximum ratio (258 bytes in two bits).
    private static let largestRatio = 1032

    /// Whether the bytes may be a compressed SVG; the content can be examined in complete files only.
    static func isCompressed(_ data: Data) -> Bool { data.starts(with: gzip) }

    /// - Throws: ``WebImageError/Code/limitExceeded`` when the content exceeds the byte limit,
    ///   ``WebImageError/Code/truncatedImageData`` and ``WebImageError/Code/badImageData``.
    init(_ data: Data, limits: ImageLimits) throws(WebImageError) {
        if Self.isCompressed(data) {
            document = try Self.decompress(data, limits: limits)
            guard ImageFormat(sniffing: document) == .svg else {
                throw .damaged(.svg, "there is no SVG in the gzip file")
            }
        } else {
            document = data
        }
        guard document.count <= limits.maximumByteCount else { throw .tooManyBytes(document.count, limits) }
        isWide = document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF])
        markup = isWide ? Self.narrowed(document) : document
        guard isWide || !document.contains(0), Self.hasKnownEncoding(markup) else {
            throw .damaged(.svg, "it has an encoding that is not read; write it in UTF-8")
        }
        let isReplaced = markup.firstRange(of: "feTile") != nil || markup.firstRange(of: "kernelUnitLength") != nil
        guard !isWide || !isReplaced else {
            throw .damaged(
                .svg, "a document with feTile or kernelUnitLength is read in UTF-8 only, and not in UTF-16")
        }
    }

    /// What librsvg gets.
    var text: Data { Self.withoutUnitLengths(Self.withoutTiles(Self.withKnownMediaTypes(document))) }

    /// Reads the tags.
    func scan(options: ImageDecodeOptions) throws(WebImageError) -> SVGMarkup {
        try markup.bytes.withUnsafeBytes { bytes throws(WebImageError) in try SVGMarkup(bytes, options: options) }
    }

    /// Takes addresses that a scan has found out of the document.
    mutating func leaveOut(_ omissions: [SVGOmission]) {
        let (start, unit) = (document.startIndex, isWide ? 2 : 1)
        var result = Data(capacity: document.count)
        var place = start
        for omission in omissions {
            result += document[place..<start + omission.range.lowerBound * unit]
            result += encoded(omission.replacement)
            place = start + omission.range.upperBound * unit
        }
        result += document[place...]
        document = result
        markup = isWide ? Self.narrowed(document) : document
    }

    private func encoded(_ ascii: String) -> Data {
        guard isWide else { return Data(ascii.utf8) }
        let isLittleEndian = document.first == 0xFF
        return Data(ascii.utf8.flatMap { isLittleEndian ? [$0, 0] : [0, $0] })
    }

    /// librsvg 2.54 gets a decoder from gdk-pixbuf by media type. This wrong one is common, and browsers ignore it.
    private static func withKnownMediaTypes(_ text: Data) -> Data {
        text.replacing("data:image/jpg", with: "data:image/jpeg")
    }

    /// librsvg 2.54 crashes on a tile without a size, or outside of the filter region or the picture. `feOffset`
    /// without an offset shows the tile once.
    private static func withoutTiles(_ text: Data) -> Data {
        // A tag begins or ends with the name, or with a namespace prefix and the name.
        text.replacing("<feTile", with: "<feOffset").replacing("/feTile", with: "/feOffset")
            .replacing(":feTile", with: ":feOffset")
    }

    /// librsvg 2.54 ends the program where such a length makes a filter's surface empty. Browsers ignore the attribute.
    private static func withoutUnitLengths(_ text: Data) -> Data {
        text.replacing("kernelUnitLength", with: "data-length")
    }

    /// Whether the encoding keeps tags readable: some, such as UTF-7, write them in other characters.
    private static func hasKnownEncoding(_ markup: Data) -> Bool {
        let head = markup.prefix(longestDeclaration).prefix { $0 != UInt8(ascii: ">") }
        guard head.count < longestDeclaration else { return false }
        let declaration = String(decoding: head, as: UTF8.self).lowercased()
        guard let name = declaration.split(separator: "encoding", maxSplits: 1).dropFirst().first else {
            return true
        }
        let value = name.drop { "= \t\r\n'\"".contains($0) }
        return encodings.contains { value.hasPrefix($0) }
    }

    private static let longestDeclaration = 64 << 10

    /// UTF-16 as ASCII. Other characters, whose bytes may look like markup, become a byte that is none.
    private static func narrowed(_ text: Data) -> Data {
        let (low, high) = text.first == 0xFF ? (0, 1) : (1, 0)
        var result = Data(capacity: text.count / 2)
        for place in stride(from: text.startIndex, to: text.endIndex - 1, by: 2) {
            let byte = text[place + low]
            result.append(text[place + high] == 0 && byte < 0x80 ? byte : 0x80)
        }
        return result
    }

    private static let encodings = [
        "utf-8", "utf8", "utf-16", "us-ascii", "ascii", "iso-8859-", "windows-125", "koi8-", "gb",
        "euc-", "shift_jis",
        "big5",
    ]

    /// The file's last four bytes are the length of its content; longer content is damaged.
    private static func decompress(_ data: Data, limits: ImageLimits) throws(WebImageError) -> Data {
        guard data.count >= leastByteCount else { throw .truncated(.svg) }
        let count = data.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        // In a truncated file these are arbitrary bytes.
        guard count <= data.count * largestRatio else { throw .truncated(.svg) }
        guard count <= limits.maximumByteCount else { throw .tooManyBytes(count, limits) }
        guard let decompressor = libdeflate_alloc_decompressor(), let bytes = malloc(max(1, count))
        else {
            throw .damaged(.svg, "there is no memory to decompress it")
        }
        defer { libdeflate_free_decompressor(decompressor) }
        var actual = 0
        let result = data.withUnsafeBytes { compressed in
            libdeflate_gzip_decompress(
                decompressor, compressed.baseAddress, compressed.count, bytes, count, &actual)
        }
        guard result == LIBDEFLATE_SUCCESS else {
            free(bytes)
            throw .damaged(.svg, "it cannot be decompressed; get the whole file again")
        }
        return Data(bytesNoCopy: bytes, count: actual, deallocator: .free)
    }
}

extension Data {
    fileprivate func replacing(_ text: StaticString, with other: String) -> Data {
        var result = Data()
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            result.append(rest[..<range.lowerBound])
            result.append(contentsOf: other.utf8)
            rest = rest[range.upperBound...]
        }
        return result.isEmpty ? self : result + rest
    }

    /// The first occurrence of `text`, found faster than by comparing elements.
    fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            let count = text.utf8CodeUnitCount
            var offset = 0
            while offset <= bytes.count - count,
                let found = memchr(base + offset, Int32(text.utf8Start.pointee), bytes.count - count - offset + 1)
            {
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, text.utf8Start, count) == 0 {
                    return startIndex + offset..<startIndex + offset + count
                }
                offset += 1
            }
            return nil
        }
    }
}
