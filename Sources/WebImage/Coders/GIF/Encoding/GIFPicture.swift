import CPixels

/// A frame in GIF's form: every pixel is opaque or transparent.
struct GIFPicture {
    let size: PixelSize
    /// In memory order; 0 for transparent.
    private(set) var pixels: [UInt32]

    private static let opaque = UInt32(littleEndian: 0xFF00_0000)
    private static let half = 128

    /// A transparent picture.
    init(size: PixelSize) {
        self.size = size
        pixels = [UInt32](repeating: 0, count: size.area)
    }

    /// Pixels with half of the alpha or more become opaque, the others transparent.
    init(_ bitmap: Bitmap) throws(WebImageError) {
        self.init(size: bitmap.size)
        let width = bitmap.size.width
        var pixels = pixels
        try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            for y in 0..<bitmap.size.height {
                let row = UnsafeRawPointer(base + y * bytesPerRow)
                for x in 0..<width {
                    let word = row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                    let alpha = UInt32(littleEndian: word) >> 24
                    pixels[y * width + x] = alpha < Self.half ? 0 : word | Self.opaque
                }
            }
        }
        self.pixels = pixels
    }

    var isOpaque: Bool { !pixels.contains(0) }

    /// The smallest area that contains all differences; nil without any.
    func change(since before: GIFPicture) -> AnimationCanvas.Area? {
        let width = size.width
        var columns = width..<width
        var rows: Range<Int>?
        for y in 0..<size.height {
            let row = y * width..<(y + 1) * width
            guard let first = row.first(where: { pixels[$0] != before.pixels[$0] }),
                let last = row.last(where: { pixels[$0] != before.pixels[$0] })
            else { continue }
            rows = (rows?.lowerBound ?? y)..<y + 1
            let lower = min(columns.lowerBound, first - row.lowerBound)
            columns = lower..<max(columns.isEmpty ? 0 : columns.upperBound, last - row.lowerBound + 1)
        }
        return rows.map { AnimationCanvas.Area(columns: columns, rows: $0) }
    }

    /// Whether an opaque pixel became transparent, which drawing a frame cannot do.
    func clearsPixels(of before: GIFPicture) -> Bool {
        zip(pixels, before.pixels).contains { $0 == 0 && $1 != 0 }
    }

    /// Counts the visible colours. Unchanged pixels weigh more than changed ones: a better colour improves them again in
    /// each frame, at no cost in bytes.
    func countColors(since before: GIFPicture, in seen: inout ColorHistogram) {
        for (index, pixel) in pixels.enumerated() where pixel != 0 {
            seen.add(pixel, times: pixel == before.pixels[index] ? Self.weightOfWhatStays : 1)
        }
    }

    /// The colours of the changed pixels.
    func drawnColors(since before: GIFPicture) -> ColorBins {
        var drawn = ColorHistogram()
        for (index, pixel) in pixels.enumerated() where pixel != 0 && pixel != before.pixels[index] {
            drawn.add(pixel)
        }
        return drawn.colors
    }

    private static let weightOfWhatStays = 4
}
