import CPNG
import FoundationEssentials
import Glibc

/// libpng's writer into memory.
struct PNGCompressor: ~Copyable {
    /// zlib's own compromise: higher levels take several times as long for a few hundredths of the size.
    private static let compressionLevel: Int32 = 6

    private let handle: OpaquePointer

    init() throws(WebImageError) {
        guard let handle = webimage_png_writer_create() else { throw .notEncoded(.png, "memory is short") }
        self.handle = handle
    }

    deinit { webimage_png_writer_destroy(handle) }

    /// Writes the header. Without alpha the fourth byte of each pixel will be left out.
    func start(size: PixelSize, hasAlpha: Bool) throws(WebImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) else {
            throw .notEncoded(.png, "\(size) pixels do not fit the format")
        }
        try check(webimage_png_writer_start(handle, width, height, hasAlpha, Self.compressionLevel))
    }

    /// Writes `count` rows of pixels of four bytes, not premultiplied, that lie `bytesPerRow` apart.
    func write(_ rows: UnsafePointer<UInt8>, bytesPerRow: Int, count: Int) throws(WebImageError) {
        try check(webimage_png_writer_rows(handle, rows, bytesPerRow, UInt32(count)))
    }

    /// Ends the file.
    func finish() throws(WebImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(webimage_png_writer_finish(handle, &bytes, &count))
        guard let bytes else { throw .notEncoded(.png, "memory is short") }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ status: webimage_png_status) throws(WebImageError) {
        guard status != WEBIMAGE_PNG_OK else { return }
        throw .notEncoded(.png, String(cString: webimage_png_writer_message(handle)))
    }
}
