import CPNG
import WebImageCore

/// libpng's reader on bytes in memory. Its pixels are straight RGBA of 8 bits, or of 16 in native byte order, for every
/// kind of file.
struct PNGDecompressor: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter bytes: A whole file; must outlive the decompressor.
    init(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        guard let base = bytes.baseAddress,
            let handle = webimage_png_reader_create(base.assumingMemoryBound(to: UInt8.self), bytes.count)
        else { throw .damaged(.png, "it cannot be opened") }
        self.handle = handle
    }

    deinit { webimage_png_reader_destroy(handle) }

    /// Reads up to the pixels; their size must be `size`.
    func start(isDeep: Bool, expecting size: PixelSize) throws(WebImageError) {
        var width: UInt32 = 0
        var height: UInt32 = 0
        try check(webimage_png_reader_start(handle, isDeep, &width, &height))
        guard PixelSize(width: Int(width), height: Int(height)) == size else {
            throw .damaged(.png, "it has two headers")
        }
    }

    /// Reads the next row of a picture that is not interlaced.
    func readRow(into row: UnsafeMutablePointer<UInt8>) throws(WebImageError) {
        try check(webimage_png_reader_rows(handle, row, 0, 1))
    }

    /// Reads all passes of an interlaced picture; `checkpoint` is called between them.
    func readPasses(
        into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, height: Int,
        checkpoint: () throws(WebImageError) -> Void
    ) throws(WebImageError) {
        for _ in 0..<WEBIMAGE_PNG_PASS_COUNT {
            try checkpoint()
            try check(webimage_png_reader_rows(handle, base, bytesPerRow, UInt32(height)))
        }
    }

    /// Reads to the end of the file, which must be complete.
    func finish() throws(WebImageError) {
        try check(webimage_png_reader_finish(handle))
    }

    private func check(_ status: webimage_png_status) throws(WebImageError) {
        switch status {
        case WEBIMAGE_PNG_OK: return
        case WEBIMAGE_PNG_TRUNCATED: throw .truncated(.png)
        default: throw .damaged(.png, String(cString: webimage_png_reader_message(handle)))
        }
    }
}
