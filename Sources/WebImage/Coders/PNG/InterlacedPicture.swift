/// The pixels of an interlaced picture as far as its passes have come, those still missing being like the nearest that
/// are there. Belongs to one thread at a time.
final class InterlacedPicture {
    private let assembler: PixelAssembler
    private let pixels: PixelBuffer
    private let bytesPerRow: Int
    private let height: Int

    /// How far the last row is that came, and the one that was shown: whole passes, and a part of the next.
    private var progress = 0.0
    private var shownProgress = 0.0

    private static let passCount = 7.0
    /// A look costs a pass over all pixels. The first six come quickly one after the other; the last is half of the file.
    private static let leastGrowth = 0.25

    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory for it.
    init(_ pixels: PNGPixels) throws(WebImageError) {
        let size = pixels.contents.header.size
        bytesPerRow = size.width * (pixels.isDeep ? PixelDepth.sixteen : .eight).bytesPerPixel
        height = size.height
        guard let buffer = PixelBuffer(byteCount: bytesPerRow * height) else { throw .outOfMemory(for: size) }
        buffer.base.update(repeating: 0, count: bytesPerRow * height)
        self.pixels = buffer
        assembler = pixels.assembler
    }

    var isComplete: Bool { progress >= Self.passCount }

    /// Takes a row of a pass.
    func setRow(_ row: Int, _ source: UnsafePointer<UInt8>, pass: Int) {
        (pixels.base + row * bytesPerRow).update(from: source, count: bytesPerRow)
        progress = max(progress, Double(pass) + Double(row + 1) / Double(height))
    }

    /// Says that no more rows will come: the last passes of a small picture have none.
    func complete() { progress = Self.passCount }

    /// The picture as it is; nil when that is hardly more than at the last look.
    func look() throws(WebImageError) -> Bitmap? {
        guard progress > shownProgress, isComplete || isWorthALook else { return nil }
        shownProgress = progress
        return try assembler.assembleRows { rows throws(WebImageError) in
            for row in 0..<height {
                try rows.withNext { $0.update(from: pixels.base + row * bytesPerRow, count: bytesPerRow) }
            }
        }
    }

    /// Every pass when it is whole, and parts of the last. Before the first is whole there is nothing to see.
    private var isWorthALook: Bool {
        progress.rounded(.down) > shownProgress.rounded(.down)
            || progress > Self.passCount - 1 && progress - shownProgress >= Self.leastGrowth
    }
}
