import CPNG
import WebImageCore

/// The form in which pixels are written: the smallest that holds them all.
struct PNGForm {
    let colorType: PNGHeader.ColorType
    let bitDepth: Int
    /// The palette of a picture with few colours.
    let palette: PNGPalette?

    /// 8-bit colours, for pictures that share one header.
    init(hasAlpha: Bool) {
        colorType = hasAlpha ? .rgba : .rgb
        bitDepth = 8
        palette = nil
    }

    /// - Parameter pixels: All pixels of the bitmap, straight, at its depth.
    init(_ pixels: UnsafeRawBufferPointer, of bitmap: Bitmap) {
        let isDeep = bitmap.format.depth == .sixteen
        let isGray = webimage_png_is_gray(pixels.baseAddress, bitmap.size.area, isDeep)
        let plain: PNGHeader.ColorType =
            switch (isGray, bitmap.isOpaque) {
            case (true, true): .grayscale
            case (true, false): .grayscaleAlpha
            case (false, true): .rgb
            case (false, false): .rgba
            }
        if !isDeep, let palette = PNGPalette(pixels),
            palette.byteCount(of: bitmap.size) < plain.byteCount(of: bitmap.size)
        {
            colorType = .palette
            bitDepth = palette.bitDepth
            self.palette = palette
        } else {
            colorType = plain
            bitDepth = isDeep ? 16 : 8
            palette = nil
        }
    }
}

/// The colours of a picture with few enough for a palette.
final class PNGPalette {
    private let handle: OpaquePointer
    /// Red in the lowest byte, straight alpha in the highest; translucent colours first.
    let colors: UnsafeBufferPointer<UInt32>

    /// nil for too many colours.
    /// - Parameter pixels: Straight, of 8 bits a channel.
    init?(_ pixels: UnsafeRawBufferPointer) {
        guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let handle = webimage_png_colors_create(base, pixels.count / 4)
        else { return nil }
        self.handle = handle
        var count: UInt32 = 0
        let first = webimage_png_colors_sorted(handle, &count)
        colors = UnsafeBufferPointer(start: first, count: Int(count))
    }

    deinit { webimage_png_colors_destroy(handle) }

    /// Bits of an index.
    var bitDepth: Int { [1, 2, 4].first { colors.count <= 1 << $0 } ?? 8 }

    /// Bytes before compression.
    func byteCount(of size: PixelSize) -> Int { size.area * bitDepth / 8 + colors.count * 4 }

    func writeIndices(of pixels: UnsafePointer<UInt8>, count: Int, to row: UnsafeMutablePointer<UInt8>) {
        webimage_png_colors_index(handle, pixels, count, row)
    }
}

extension PNGHeader.ColorType {
    /// Bytes before compression at 8 bits a channel.
    fileprivate func byteCount(of size: PixelSize) -> Int { size.area * channelCount }
}
