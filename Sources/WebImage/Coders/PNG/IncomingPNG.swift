import FoundationEssentials

/// A PNG file of which more is still to come. Of an APNG it shows the default image.
final class IncomingPNG: IncomingFile {
    private enum Picture {
        /// The chunks before its pixels are not all there yet.
        case unknown(Data)
        /// From the top down.
        case rows(Plan, PNGPushDecompressor, GrowingPicture)
        /// As a whole, in finer and finer blocks.
        case passes(Plan, PNGPushDecompressor, InterlacedPicture)
    }

    /// What was decided when the header was there.
    private struct Plan {
        let contents: PNGContents
        let geometry: ThumbnailGeometry
    }

    /// Bounds what is decoded between two looks at the cancellation.
    private static let sliceByteCount = 64 << 10

    private let options: ImageDecodeOptions
    private var picture = Picture.unknown(Data())

    init(options: ImageDecodeOptions) { self.options = options }

    var isFinished: Bool {
        switch picture {
        case .unknown: false
        case .rows(_, _, let picture): picture.isComplete
        case .passes(_, _, let picture): picture.isComplete
        }
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try append(newBytes)
        return try look()
    }

    private func append(_ data: Data) throws(WebImageError) {
        guard case .unknown(let begun) = picture else { return try decode(data) }
        let head = begun + data
        guard let contents = try PNGReader.contentsBeforePixels(of: head, limits: options.limits) else {
            picture = .unknown(head)
            return
        }
        try start(contents)
        try decode(head)
    }

    private func look() throws(WebImageError) -> Image? {
        switch picture {
        case .unknown: nil
        case .rows(let plan, _, let picture): try picture.look().map { makeImage($0, plan) }
        case .passes(let plan, _, let picture): try picture.look().map { makeImage($0, plan) }
        }
    }

    private func makeImage(_ bitmap: Bitmap, _ plan: Plan) -> Image {
        plan.geometry.makeImage(
            bitmap, of: .png, frameCount: plan.contents.announcedFrameCount,
            loopCount: plan.contents.announcedLoopCount,
            isIncremental: true, options: options)
    }

    private func start(_ contents: PNGContents) throws(WebImageError) {
        let geometry = ThumbnailGeometry(
            storedSourceSize: contents.header.size, orientation: contents.orientation,
            frameCount: contents.announcedFrameCount, options: options)
        try PNGCoder.check(contents.header, geometry: geometry, limits: options.limits)
        let pixels = PNGPixels(contents, geometry: geometry, options: options)
        let decompressor = try PNGPushDecompressor(isDeep: pixels.isDeep)
        let plan = Plan(contents: contents, geometry: geometry)
        picture =
            contents.header.isInterlaced
            ? .passes(plan, decompressor, try InterlacedPicture(pixels))
            : .rows(plan, decompressor, try GrowingPicture(pixels.assembler))
    }

    private func decode(_ data: Data) throws(WebImageError) {
        var rest = data
        while !rest.isEmpty && !isFinished {
            try options.checkCancellation()
            let slice = rest.prefix(Self.sliceByteCount)
            rest = rest.dropFirst(slice.count)
            try slice.bytes.withUnsafeBytes { bytes throws(WebImageError) in try decode(bytes) }
        }
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        switch picture {
        case .unknown: return
        case .rows(_, let decompressor, let picture):
            try decompressor.append(bytes) { _, pixels throws(WebImageError) in try picture.addRow(pixels) }
            // libpng takes damaged compression for the end of the pixels here, so that some may be missing.
            if decompressor.isAtEnd, !picture.isComplete { throw .damaged(.png, "rows are missing") }
        case .passes(_, let decompressor, let picture):
            try decompressor.append(bytes) { row, pixels throws(WebImageError) in
                picture.setRow(row, pixels, pass: decompressor.pass)
            }
            if decompressor.isAtEnd { picture.complete() }
        }
    }
}
