import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels with another bitmap drawn over a part of them. What lies outside of this bitmap is cut off, and outside
    /// of `overlay` nothing changes.
    ///
    /// The result has this bitmap's format. Uses all processors; blocks; any thread.
    /// - Parameters:
    ///   - overlay: The bitmap to draw. Its colours stay the same in sRGB and Display P3; where either bitmap has high
    ///     dynamic range, its numbers are taken as they are.
    ///   - x: The column of its left edge; may be negative.
    ///   - y: The row of its top edge; may be negative.
    ///   - opacity: 0 to 1: the factor for its alpha.
    ///   - mode: The way in which it is drawn.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func overlaid(
        with overlay: Bitmap, x: Int, y: Int, opacity: Double = 1, mode: BlendMode = .normal
    ) throws(WebImageError) -> Bitmap {
        let overlay = try overlay.matching(colorSpace)
        let covered = Overlap(of: overlay.size, at: (x, y), in: size)
        let opacity = Float(opacity.clamped(to: 0...1, orElse: 1))
        let (row, isOpaque) = (bytesPerRow, isOpaque)
        return try overlay.withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress else { return self }
            let overlayRows = SourceRows(base: base, bytesPerRow: overlay.bytesPerRow)
            return try mapped { source, strip throws(WebImageError) in
                let blender = try RowBlender(self.format, overlay.format, mode: mode, opacity: opacity)
                for y in strip.rows {
                    strip.row(y).copyMemory(from: source.row(y), byteCount: row)
                    guard covered.rows.contains(y) else { continue }
                    blender.blend(overlayRows.row(y - covered.y), covered, into: strip.row(y))
                }
                return isOpaque && (mode.staysOpaque || covered.isEmpty)
            }
        }
    }

    /// The same colours in another colour space, unless either has high dynamic range.
    private func matching(_ other: ColorSpace) throws(WebImageError) -> Bitmap {
        guard !colorSpace.isHighDynamicRange, !other.isHighDynamicRange else { return self }
        return try converted(to: format, in: other)
    }
}

/// The part of a bitmap that an overlay covers.
private struct Overlap {
    let columns: Range<Int>
    let rows: Range<Int>
    /// The place of the overlay's first pixel.
    let x: Int
    let y: Int

    init(of overlay: PixelSize, at place: (x: Int, y: Int), in size: PixelSize) {
        (x, y) = place
        columns = Self.range(place.x, overlay.width, size.width)
        rows = Self.range(place.y, overlay.height, size.height)
    }

    var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    private static func range(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
        let end = start.addingReportingOverflow(length)
        let last = min(limit, end.overflow ? (start < 0 ? 0 : limit) : max(0, end.partialValue))
        return min(max(0, start), last)..<last
    }
}

/// Blends rows block by block. One thread at a time.
private final class RowBlender {
    private let below: PixelFormat
    private let above: PixelFormat
    private let mode: BlendMode
    private let opacity: Float
    private let blocks: FloatRows

    init(_ below: PixelFormat, _ above: PixelFormat, mode: BlendMode, opacity: Float) throws(WebImageError) {
        self.below = below
        self.above = above
        self.mode = mode
        self.opacity = opacity
        blocks = try FloatRows(width: Int(WEBIMAGE_BLOCK_LENGTH), count: 2)
    }

    /// - Parameter overlay: The first pixel of the overlay's row.
    func blend(_ overlay: UnsafeRawPointer, _ covered: Overlap, into row: UnsafeMutableRawPointer) {
        let (destination, source) = (blocks.row(0), blocks.row(1))
        for x in stride(
            from: covered.columns.lowerBound, to: covered.columns.upperBound, by: Int(WEBIMAGE_BLOCK_LENGTH))
        {
            let count = min(Int(WEBIMAGE_BLOCK_LENGTH), covered.columns.upperBound - x)
            let pixels = row + x * below.bytesPerPixel
            load(pixels, below, count, to: destination)
            load(overlay + (x - covered.x) * above.bytesPerPixel, above, count, to: source)
            if opacity < 1 { webimage_block_scale(source, count, opacity) }
            webimage_block_blend(source, mode.operation, count, destination)
            if !below.isPremultiplied { webimage_block_unpremultiply(destination, count) }
            webimage_store_block(destination, below.channelType, count, pixels)
        }
    }

    private func load(
        _ pixels: UnsafeRawPointer, _ format: PixelFormat, _ count: Int, to block: UnsafeMutablePointer<Float>
    ) {
        webimage_load_block(pixels, format.channelType, count, block)
        if !format.isPremultiplied { webimage_block_premultiply(block, count) }
    }
}

extension BlendMode {
    /// Whether opaque pixels stay opaque under any source.
    fileprivate var staysOpaque: Bool { keepsOpacity(under: .clear) }
}
