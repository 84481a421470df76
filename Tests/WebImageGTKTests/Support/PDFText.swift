import CGtk4
import FoundationEssentials

/// The text of a PDF file.
enum PDFText {
    /// All of the file, as ASCII, followed by the objects that are compressed: from version 1.18 on, cairo writes most of
    /// them so.
    static func text(of file: Data) -> String {
        ascii(file) + compressedObjects(of: file).map(inflated).joined()
    }

    /// The streams whose dictionary says that they hold objects.
    private static func compressedObjects(of file: Data) -> [Data] {
        var streams: [Data] = []
        var rest = file[...]
        while let mark = rest.firstRange(of: Data("/ObjStm".utf8)) {
            rest = rest[mark.upperBound...]
            guard let start = rest.firstRange(of: Data("stream\n".utf8)),
                let end = rest.firstRange(of: Data("endstream".utf8))
            else { break }
            streams.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return streams
    }

    private static func inflated(_ stream: Data) -> String {
        guard let decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB) else { return "" }
        defer { g_object_unref(UnsafeMutableRawPointer(decompressor)) }
        // Such a stream of a file with one page has some hundred bytes.
        var text = [UInt8](repeating: 0, count: 1 << 16)
        var (read, written): (gsize, gsize) = (0, 0)
        let result = Array(stream).withUnsafeBytes { bytes in
            g_converter_convert(
                decompressor, bytes.baseAddress, gsize(bytes.count), &text, gsize(text.count),
                G_CONVERTER_INPUT_AT_END, &read, &written, nil)
        }
        return result == G_CONVERTER_ERROR ? "" : ascii(Data(text.prefix(Int(written))))
    }

    private static func ascii(_ data: Data) -> String { String(decoding: data, as: Unicode.ASCII.self) }
}
