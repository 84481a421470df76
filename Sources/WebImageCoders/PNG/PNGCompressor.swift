import CPNG
import FoundationEssentials
import Glibc
import WebImageCore
import WebImagePixels

/// libpng's writer to memory.
struct PNGCompressor: ~Copyable {
    /// zlib's default: higher levels take several times as long for a few percent of the size.
    private static let compressionLevel: Int8 = 6

    private let handle: OpaquePointer

    private init() throws(WebImageError) {
        guard let handle = webimage_png_writer_create() else { throw .notEncoded(.png, "memory is short") }
        self.handle = handle
    }

    deinit { webimage_png_writer_destroy(handle) }

    /// A complete file.
    ///
    /// - Parameter pixels: All pixels of the bitmap, straight, at its depth.
    static func compress(
        _ pixels: UnsafeRawBufferPointer, of bitmap: Bitmap, _ form: PNGForm, cancellation: CancellationFlag?
    ) throws(WebImageError) -> Data {
        let compressor = try PNGCompressor()
        try compressor.start(form, of: bitmap)
        try compressor.write(pixels, of: bitmap, form, cancellation: cancellation)
        return try compressor.finish()
    }

    private func start(_ form: PNGForm, of bitmap: Bitmap) throws(WebImageError) {
        guard let width = UInt32(exactly: bitmap.size.width), let height = UInt32(exactly: bitmap.size.height) else {
            throw .notEncoded(.png, "\(bitmap.size) pixels do not fit the format")
        }
        let codePoints = bitmap.colorSpace.codePoints
        // Indices are not quantities, so rows do not predict the next one.
        var description = webimage_png_form(
            width: width, height: height, color_type: form.colorType.rawValue, bit_depth: UInt8(form.bitDepth),
            level: Self.compressionLevel, filters: form.palette == nil, colors: form.palette?.colors.baseAddress,
            color_count: UInt32(form.palette?.colors.count ?? 0), primaries: codePoints?.primaries ?? 0,
            transfer: codePoints?.transfer ?? 0)
        try check(webimage_png_writer_start(handle, &description))
    }

    private func write(
        _ pixels: UnsafeRawBufferPointer, of bitmap: Bitmap, _ form: PNGForm, cancellation: CancellationFlag?
    ) throws(WebImageError) {
        guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let (size, bytesPerRow) = (bitmap.size, pixels.count / bitmap.size.height)
        guard form.colorType != .rgb, form.colorType != .rgba else {
            for y in stride(from: 0, to: size.height, by: Self.rowsBetweenChecks) {
                try cancellation?.check()
                let count = min(Self.rowsBetweenChecks, size.height - y)
                try check(webimage_png_writer_rows(handle, base + y * bytesPerRow, bytesPerRow, UInt32(count)))
            }
            return
        }
        guard let samples = PixelBuffer(byteCount: bytesPerRow) else { throw .notEncoded(.png, "memory is short") }
        for y in 0..<size.height {
            try cancellation?.check()
            let row = base + y * bytesPerRow
            if let palette = form.palette {
                palette.writeIndices(of: row, count: size.width, to: samples.base)
            } else {
                webimage_png_take_gray(
                    row, size.width, form.bitDepth == 16, form.colorType == .grayscaleAlpha, samples.base)
            }
            try check(webimage_png_writer_rows(handle, samples.base, bytesPerRow, 1))
        }
    }

    /// Of whether the caller still wants the file.
    private static let rowsBetweenChecks = 64

    private func finish() throws(WebImageError) -> Data {
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

extension ColorSpace {
    /// Primaries and transfer function by ITU-T H.273; nil for sRGB.
    fileprivate var codePoints: (primaries: UInt8, transfer: UInt8)? {
        switch self {
        case .sRGB, .asStored: nil
        case .displayP3: (12, 13)
        case .bt2100PQ: (9, 16)
        case .bt2100HLG: (9, 18)
        }
    }
}
