import FoundationEssentials
import WebImage
import WebImageCore

/// Makes the file of a result from that of its source. Blocks; any thread.
struct ResultMaker: Sendable {
    let coder: any ImageCoder
    let limits: ImageLimits
    let maximumResultPixels: Int
    let watermark: Image?

    struct Result: Sendable {
        let data: Data
        let format: ImageFormat
    }

    /// The properties of a source, by its beginning.
    func properties(of data: Data) throws(WebImageError) -> ImageProperties {
        var options = ImageDecodeOptions()
        options.limits = limits
        guard let properties = try coder.properties(of: data, isComplete: true, options: options) else {
            throw WebImageError(.truncatedImageData, stage: .decode, kind: .permanent, reason: "the source is cut off")
        }
        return properties
    }

    func result(
        of data: Data, _ source: ImageProperties, _ recipe: ResultRecipe, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> Result {
        let format = recipe.wish.format(for: source) { coder.canEncode($0) }
        if recipe.wish.unprocessed.contains(source.format), recipe.wish.named ?? source.format == source.format {
            return Result(data: data, format: source.format)
        }
        guard coder.canEncode(format) else { throw .cannotWrite(format) }
        let image = try processed(data, source, recipe, moves: ServedFormat.moving.contains(format), cancellation)
        return Result(
            data: try coder.encode(image, to: format, options: encodeOptions(recipe, format, cancellation)),
            format: format)
    }

    private func encodeOptions(
        _ recipe: ResultRecipe, _ format: ImageFormat, _ cancellation: CancellationFlag
    ) -> ImageEncodeOptions {
        var options = ImageEncodeOptions()
        options.compressionQuality = recipe.quality.quality(of: format)
        options.maxFileSize = recipe.quality.maximumByteCount
        options.backgroundColor = recipe.options.background ?? .white
        options.cancellation = cancellation
        return options
    }

    // MARK: Pixels

    private func processed(
        _ data: Data, _ source: ImageProperties, _ recipe: ResultRecipe, moves: Bool, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> Image {
        var options = ImageDecodeOptions()
        options.limits = limits
        options.cancellation = cancellation
        options.decodesFirstFrameOnly = !moves
        options.appliesOrientation = recipe.options.appliesOrientation ?? true
        var transformer = ProcessingTransformer(recipe.options, watermark: watermark)
        try check(transformer, source.pixelSize)
        let decodeSize = transformer.decodeSize(of: source.pixelSize)
        options.thumbnailPixelSize = decodeSize
        options.preservesAspectRatio = decodeSize == nil
        let image = try coder.decode(data, options: options)
        let isReduced = decodeSize != nil && image.pixelSize == decodeSize
        if image.animation != nil { transformer = transformer.settled(on: image, isReduced: isReduced) }
        let frames = FrameProcessing(transformer, isReduced ? source.pixelSize : nil, cancellation)
        return Image(
            bitmap: try frames.result(image.bitmap, isVector: image.metadata.isVector), metadata: image.metadata,
            animation: image.animation.map { ProcessedAnimation($0, frames) }, decodeOptions: image.decodeOptions)
    }

    private func check(_ transformer: ProcessingTransformer, _ size: PixelSize) throws(WebImageError) {
        guard case .size(let result) = transformer.forecast(for: size, scale: 1) else { return }
        guard result.area <= maximumResultPixels else {
            throw WebImageError(
                .limitExceeded, stage: .transform, kind: .policy,
                reason: "the result would have \(result) pixels, more than the \(maximumResultPixels) of the service")
        }
    }
}

/// The work on each picture of a file.
private struct FrameProcessing: Sendable {
    private let transformer: ProcessingTransformer
    /// The size of the pictures before the decode has resized them; nil where it has not.
    private let originalSize: PixelSize?
    private let cancellation: CancellationFlag

    init(_ transformer: ProcessingTransformer, _ originalSize: PixelSize?, _ cancellation: CancellationFlag) {
        self.transformer = transformer
        self.originalSize = originalSize
        self.cancellation = cancellation
    }

    func result(_ bitmap: Bitmap, isVector: Bool = false) throws(WebImageError) -> Bitmap {
        var metadata = ImageMetadata()
        metadata.isVector = isVector
        metadata.originalPixelSize = originalSize
        let image = Image(bitmap: bitmap, metadata: metadata)
        let result =
            originalSize == nil
            ? transformer.transform(image, for: Self.key, cancellation: cancellation)
            : transformer.finish(image, cancellation)
        if cancellation.isCancelled { throw .cancelled() }
        guard let result else {
            throw WebImageError(
                .limitExceeded, stage: .transform, kind: .permanent,
                reason: "there is no memory for the result, or it would have too many pixels")
        }
        return result.bitmap
    }

    /// Nothing is stored.
    private static let key = CacheKey("")
}

/// The frames of another animation, each with the same work done.
private final class ProcessedAnimation: AnimatedImageProvider {
    private let source: any AnimatedImageProvider
    private let frames: FrameProcessing

    init(_ source: any AnimatedImageProvider, _ frames: FrameProcessing) {
        self.source = source
        self.frames = frames
    }

    var frameCount: Int { source.frameCount }
    var loopCount: Int { source.loopCount }

    func frame(at index: Int) throws(WebImageError) -> Bitmap { try frames.result(try source.frame(at: index)) }

    func duration(at index: Int) -> Duration { source.duration(at: index) }

    func preloadAllFrames() {}
}

extension WebImageError {
    fileprivate static func cannotWrite(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .request, kind: .policy,
            reason: "this service does not write \(format); name another format in the address")
    }
}
