import CPixels
import CTIFF
import FoundationEssentials
import Glibc
import WebImage

/// libtiff's writer into memory.
struct TIFFWriter: ~Copyable {
    private let handle: OpaquePointer
    private let size: PixelSize
    private let hasAlpha: Bool
    private let row: PixelBuffer

    init(size: PixelSize, hasAlpha: Bool) throws(WebImageError) {
        guard let row = PixelBuffer(byteCount: size.width * 4), let handle = webimage_tiff_writer_create() else {
            throw .notEncoded(.tiff, "memory is short")
        }
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            webimage_tiff_writer_start(handle, width, height, hasAlpha)
        else {
            webimage_tiff_writer_destroy(handle)
            throw .notEncoded(.tiff, "\(size) pixels do not fit the format")
        }
        self.handle = handle
        self.size = size
        self.hasAlpha = hasAlpha
        self.row = row
    }

    deinit { webimage_tiff_writer_destroy(handle) }

    /// Writes row `y` of straight pixels.
    func write(_ pixels: UnsafePointer<UInt8>, row y: Int) throws(WebImageError) {
        // libtiff writes the differences over the row that it is given.
        if hasAlpha {
            row.base.update(from: pixels, count: size.width * 4)
        } else {
            webimage_pack_rgb(pixels, row.base, size.width)
        }
        try check(webimage_tiff_writer_row(handle, UInt32(y), row.base))
    }

    /// Ends the file.
    func finish() throws(WebImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(webimage_tiff_writer_finish(handle, &bytes, &count))
        guard let bytes else { throw .notEncoded(.tiff, "memory is short") }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ isDone: Bool) throws(WebImageError) {
        if isDone { return }
        let message = String(cString: webimage_tiff_writer_message(handle))
        throw .notEncoded(.tiff, message.isEmpty ? "libtiff gives no reason" : message)
    }
}
