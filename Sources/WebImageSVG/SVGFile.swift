import CDeflate
import FoundationEssentials
import Glibc
import WebImageCore

/// The XML in an SVG file, or in one compressed by gzip (RFC 1952), such as `.svgz`.
enum SVGFile {
    private static let gzip: [UInt8] = [0x1F, 0x8B, 8]
    /// The size of a header, an empty block and a trailer.
    private static let leastByteCount = 20
    /// Deflate's maximum ratio (258 bytes in two bits).
    private static let largestRatio = 1032

    /// Whether the bytes may be a compressed SVG; the content can be examined in complete files only.
    static func isCompressed(_ data: Data) -> Bool { data.starts(with: gzip) }

    /// - Throws: ``WebImageError/Code/limitExceeded`` when the content exceeds the byte limit,
    ///   ``WebImageError/Code/truncatedImageData`` and ``WebImageError/Code/badImageData``.
    static func text(of data: Data, limits: ImageLimits) throws(WebImageError) -> SVGMarkup {
        var document = data
        if isCompressed(data) {
            document = try decompress(data, limits: limits)
            guard ImageFormat(sniffing: document) == .svg else {
                throw .damaged(.svg, "there is no SVG in the gzip file")
            }
        }
        guard document.count <= limits.maximumByteCount else { throw .tooManyBytes(document.count, limits) }
        return SVGMarkup(bytes: fromUTF16(document) ?? [UInt8](document))
    }

    /// UTF-8 in place of UTF-16, and without the declaration, which names an encoding; nil for what has no byte order mark of
    /// UTF-16.
    private static func fromUTF16(_ document: Data) -> [UInt8]? {
        let isLittleEndian = document.starts(with: [0xFF, 0xFE])
        guard isLittleEndian || document.starts(with: [0xFE, 0xFF]) else { return nil }
        let bytes = [UInt8](document)
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        let text = SVGMarkup(bytes: Array(String(decoding: units, as: UTF16.self).utf8))
        return text.hasPrefix("<?xml", at: 0) ? Array(text.bytes[text.end(of: "?>", from: 0)...]) : text.bytes
    }

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
