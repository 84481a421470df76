import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The first frame of a GIF file whose codes are arriving. Belongs to one thread at a time.
final class GrowingGIFFrame {
    /// The share of new rows from which another partial picture is worthwhile: it costs a copy of the whole, and fewer
    /// rows make no visible difference.
    private static let leastGrowth = 0.05

    private let options: ImageDecodeOptions
    private let frame: GIFFrame
    private let source: PixelSource
    private let geometry: ThumbnailGeometry
    private var pixels = GIFFramePixels()
    private var readCount = 0
    private var shownRows = 0

    /// - Throws: ``WebImageError/Code/limitExceeded`` where the frame or the screen is too large.
    init(_ frame: GIFFrame, of contents: GIFContents, options: ImageDecodeOptions) throws(WebImageError) {
        let screen = contents.screenSize(with: frame)
        try options.limits.check(.gif, source: screen, held: screen)
        try options.limits.check(.gif, source: screen, held: frame.size)
        self.frame = frame
        self.options = options
        source = PixelSource(size: screen, isOpaque: false)
        geometry = ThumbnailGeometry(storedSourceSize: screen, orientation: .up, options: options)
        try pixels.begin(frame, colors: contents.colorTable(of: frame))
    }

    /// The partial picture; nil when there is hardly anything new.
    ///
    /// - Parameter blocks: The frame's data blocks so far, from the first one on.
    func image(of blocks: Data) throws(WebImageError) -> Image? {
        readCount += pixels.decode(blocks.dropFirst(readCount)).readCount
        let growth = pixels.decodedRowCount - shownRows
        guard growth > 0, Double(growth) >= Self.leastGrowth * Double(frame.size.height) else { return nil }
        shownRows = pixels.decodedRowCount
        return geometry.makeImage(try bitmap(), of: .gif, isIncremental: true, options: options)
    }

    private func bitmap() throws(WebImageError) -> Bitmap {
        let width = source.size.width
        let lastRow = frame.isInterlaced ? Int.max : frame.top + pixels.decodedRowCount
        let growing = pixels.growingRows()
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<source.size.height {
                try rows.withNext { row in
                    row.clear(count: width * 4)
                    // Interlaced rows spread over the whole picture, so a coarse picture shows at once.
                    if y < lastRow { pixels.drawGrowing(screenRow: y, of: growing, on: row, width: width) }
                }
            }
        }
    }
}
