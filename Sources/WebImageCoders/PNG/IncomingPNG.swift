import FoundationEssentials
import WebImageCore
import WebImagePixels

/// An incomplete PNG file after the chunks before its pixels. For an APNG it shows the default image. Belongs to one
/// thread at a time.
final class IncomingPNG {
    private enum Picture {
        /// From the top down.
        case rows(GrowingPicture)
        /// As a whole, in ever finer blocks.
        case passes(InterlacedPicture)
    }

    private let contents: PNGContents
    private let options: ImageDecodeOptions
    private let geometry: ThumbnailGeometry
    private let decompressor: PNGPushDecompressor
    private let picture: Picture

    /// - Parameter contents: The chunks before the pixels.
    /// - Throws: ``WebImageError/Code/limitExceeded``.
    init(_ contents: PNGContents, options: ImageDecodeOptions) throws(WebImageError) {
        self.contents = contents
        self.options = options
        geometry = ThumbnailGeometry(
            storedSourceSize: contents.header.size, orientation: contents.orientation,
            frameCount: contents.announcedFrameCount, options: options)
        try PNGCoder.check(contents.header, geometry: geometry, limits: options.limits)
        let pixels = PNGPixels(contents, geometry: geometry, options: options)
        decompressor = try PNGPushDecompressor(isDeep: pixels.isDeep)
        picture =
            contents.header.isInterlaced
            ? .passes(try InterlacedPicture(pixels)) : .rows(try GrowingPicture(pixels.assembler))
    }

    var isFinished: Bool {
        switch picture {
        case .rows(let picture): picture.isComplete
        case .passes(let picture): picture.isComplete
        }
    }

    /// Decodes the next bytes, at first those from the beginning of the file; returns a picture where there is more to
    /// show.
    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try options.forEachSlice(of: newBytes, while: { !isFinished }) { bytes throws(WebImageError) in
            try decode(bytes)
        }
        return switch picture {
        case .rows(let picture): try picture.look().map(makeImage)
        case .passes(let picture): try picture.look().map(makeImage)
        }
    }

    private func makeImage(_ bitmap: Bitmap) -> Image {
        geometry.makeImage(
            bitmap, of: .png, frameCount: contents.announcedFrameCount, loopCount: contents.announcedLoopCount,
            isIncremental: true, options: options)
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        switch picture {
        case .rows(let picture):
            try decompressor.append(bytes) { _, pixels throws(WebImageError) in try picture.addRow(pixels) }
            // libpng takes damaged compression for the end of the pixels here, so rows may be missing.
            if decompressor.isAtEnd, !picture.isComplete { throw .damaged(.png, "rows are missing") }
        case .passes(let picture):
            try decompressor.append(bytes) { row, pixels throws(WebImageError) in
                picture.setRow(row, pixels, pass: decompressor.pass)
            }
            if decompressor.isAtEnd { picture.complete() }
        }
    }
}
