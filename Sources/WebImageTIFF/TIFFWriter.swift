import CPixels
import CTIFF
import FoundationEssentials
import Glibc
import WebImageCore
import WebImagePixels

/// libtiff's writer to memory.
struct TIFFWriter: ~Copyable {
    private let handle: OpaquePointer
    private let size: PixelSize
    private let hasAlpha: Bool
    private let depth: PixelDepth
    private let row: PixelBuffer

    init(
        size: PixelSize, hasAlpha: Bool, depth: PixelDepth, compression: ImageEncodeOptions.TIFFCompression
    ) throws(WebImageError) {
        guard let row = PixelBuffer(byteCount: size.width * depth.bytesPerPixel),
            let handle = webimage_tiff_writer_create()
        else {
            throw .notEncoded(.tiff, "memory is short")
        }
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            webimage_tiff_writer_start(
                handle, width, height, hasAlpha, depth == .eight ? 8 : 16, compression.number)
        else {
            webimage_tiff_writer_destroy(handle)
            throw .notEncoded(.tiff, "\(size) pixels do not fit the format")
        }
        self.handle = handle
        self.size = size
        self.hasAlpha = hasAlpha
        self.depth = depth
        self.row = row
    }

    deinit { webimage_tiff_writer_destroy(handle) }

    /// Writes all rows of straight pixels without padding.
    func write(_ pixels: UnsafeRawBufferPointer) throws(WebImageError) {
        let bytesPerRow = size.width * depth.bytesPerPixel
        guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for y in 0..<size.height { try write(base + y * bytesPerRow, row: y) }
    }

    /// Writes row `y` of straight pixels.
    func write(_ pixels: UnsafePointer<UInt8>, row y: Int) throws(WebImageError) {
        // libtiff applies the predictor in place, so it gets a copy of the row.
        switch (hasAlpha, depth) {
        case (true, _): row.base.update(from: pixels, count: size.width * depth.bytesPerPixel)
        case (false, .eight): webimage_pack_rgb(pixels, row.base, size.width)
        case (false, .sixteen): packDeep(pixels)
        }
        try check(webimage_tiff_writer_row(handle, UInt32(y), row.base))
    }

    private func packDeep(_ pixels: UnsafePointer<UInt8>) {
        for x in 0..<size.width { (row.base + x * 6).update(from: pixels + x * 8, count: 6) }
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

extension ImageEncodeOptions.TIFFCompression {
    /// The number in TIFF 6.0 or Adobe's.
    fileprivate var number: UInt16 {
        switch self {
        case .uncompressed: UInt16(WEBIMAGE_TIFF_UNCOMPRESSED)
        case .lzw: UInt16(WEBIMAGE_TIFF_LZW)
        case .deflate: UInt16(WEBIMAGE_TIFF_DEFLATE)
        }
    }
}
