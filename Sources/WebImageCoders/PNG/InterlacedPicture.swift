import WebImageCore
import WebImagePixels

/// The pixels of an interlaced picture as its passes arrive; missing pixels repeat the nearest ones. Belongs to one
/// thread at a time.
final class InterlacedPicture {
    private let assembler: PixelAssembler
    private let pixels: PixelBuffer
    private let bytesPerRow: Int
    private let height: Int

    /// The progress of the last row that arrived, and of the last partial picture: whole passes, and a part of the
    /// next.
    private var progress = 0.0
    private var shownProgress = 0.0

    private static let passCount = 7.0
    /// The progress from which another partial picture is worthwhile: it costs a pass over all pixels. The first six
    /// passes arrive in quick succession; the last is half of the file.
    private static let leastGrowth = 0.25

    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory for it.
    init(_ pixels: PNGPixels) throws(WebImageError) {
        let size = pixels.contents.header.size
        bytesPerRow = size.width * (pixels.isDeep ? PixelDepth.sixteen : .eight).bytesPerPixel
        height = size.height
        guard let buffer = PixelBuffer(byteCount: bytesPerRow * height) else { throw .outOfMemory(for: size) }
        buffer.base.clear(count: bytesPerRow * height)
        self.pixels = buffer
        assembler = pixels.assembler
    }

    var isComplete: Bool { progress >= Self.passCount }

    /// Adds a row of a pass.
    func setRow(_ row: Int, _ source: UnsafePointer<UInt8>, pass: Int) {
        (pixels.base + row * bytesPerRow).update(from: source, count: bytesPerRow)
        progress = max(progress, Double(pass) + Double(row + 1) / Double(height))
    }

    /// Ends the picture: the last passes of a small picture have no rows.
    func complete() { progress = Self.passCount }

    /// The partial picture; nil when there is hardly more than in the last one.
    func look() throws(WebImageError) -> Bitmap? {
        guard progress > shownProgress, isComplete || isWorthALook else { return nil }
        shownProgress = progress
        return try assembler.assembleRows { rows throws(WebImageError) in
            for row in 0..<height {
                try rows.withNext { $0.update(from: pixels.base + row * bytesPerRow, count: bytesPerRow) }
            }
        }
    }

    /// Every complete pass, and parts of the last one. Before the end of the first there is nothing to show.
    private var isWorthALook: Bool {
        progress.rounded(.down) > shownProgress.rounded(.down)
            || progress > Self.passCount - 1 && progress - shownProgress >= Self.leastGrowth
    }
}
