import CPixels
import WebImageCore
import WebImagePixels

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
        var clears = false
        forEachRun(since: before) { clears = clears || $0.color == 0 && $0.isChanged }
        return clears
    }

    /// Counts the visible colours. Unchanged pixels weigh more than changed ones: a better colour improves them again in
    /// each frame, at no cost in bytes.
    func countColors(since before: GIFPicture, in seen: inout ColorHistogram) {
        forEachRun(since: before) { run in
            guard run.color != 0 else { return }
            seen.add(run.color, times: run.isChanged ? run.count : run.count * Self.weightOfWhatStays)
        }
    }

    /// The colours of the changed pixels.
    func drawnColors(since before: GIFPicture) -> ColorBins {
        var drawn = ColorHistogram()
        forEachRun(since: before) { if $0.color != 0, $0.isChanged { drawn.add($0.color, times: $0.count) } }
        return drawn.colors
    }

    /// Neighbours of one colour of which all, or none, have changed.
    private struct Run {
        let color: UInt32
        let count: Int
        let isChanged: Bool
    }

    private func forEachRun(since before: GIFPicture, _ body: (Run) -> Void) {
        pixels.withUnsafeBufferPointer { pixels in
            before.pixels.withUnsafeBufferPointer { former in
                var start = 0
                while start < pixels.count {
                    let (color, isChanged) = (pixels[start], pixels[start] != former[start])
                    var end = start + 1
                    while end < pixels.count, pixels[end] == color, (former[end] != color) == isChanged { end += 1 }
                    body(Run(color: color, count: end - start, isChanged: isChanged))
                    start = end
                }
            }
        }
    }

    private static let weightOfWhatStays = 4
}
