import FoundationEssentials
import WebImage
import WebImageCore

/// Makes the file of a result from that of its source. Blocks; any thread.
struct ResultMaker: Sendable {
    let coder: any ImageCoder
    let limits: ImageLimits
    /// For making a result.
    let timeout: Duration
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

    /// The properties of the picture that the work begins with: it may lie as it is stored.
    private func worked(_ source: ImageProperties, _ recipe: ResultRecipe) -> ImageProperties {
        guard recipe.options.appliesOrientation == false, source.orientation.swapsSides else { return source }
        var source = source
        source.pixelSize = PixelSize(width: source.pixelSize.height, height: source.pixelSize.width)
        return source
    }

    func result(
        of data: Data, _ source: ImageProperties, _ recipe: ResultRecipe
    ) throws(WebImageError) -> Result {
        let cancellation = CancellationFlag()
        let alarm = Task { if (try? await Task.sleep(for: timeout)) != nil { cancellation.cancel() } }
        defer { alarm.cancel() }
        do throws(WebImageError) {
            return try result(of: data, source, recipe, cancellation)
        } catch {
            guard cancellation.isCancelled else { throw error }
            throw WebImageError(
                .timedOut, stage: .transform, kind: .policy,
                reason: "making the result takes longer than \(timeout); ask for a smaller one")
        }
    }

    /// The pixels that the work goes over, about.
    func pixelCount(_ source: ImageProperties, _ recipe: ResultRecipe) -> Double {
        let result = ProcessingTransformer(recipe.options, watermark: watermark).largestSize(source).area
        return (Double(source.pixelSize.area) + Double(result)) * Double(max(1, source.frameCount))
    }

    private func result(
        of data: Data, _ source: ImageProperties, _ recipe: ResultRecipe, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> Result {
        let format = recipe.wish.format(for: source) { coder.canEncode($0) }
        let unprocessed = recipe.wish.unprocessed.subtracting(ServedFormat.drawn)
        if unprocessed.contains(source.format), recipe.wish.named ?? source.format == source.format {
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
        let source = worked(source, recipe)
        var transformer = ProcessingTransformer(recipe.options, watermark: watermark)
        try check(transformer, source, moves: moves)
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

    /// All pictures of an animation together may have ten times as many pixels as one.
    private func check(
        _ transformer: ProcessingTransformer, _ source: ImageProperties, moves: Bool
    ) throws(WebImageError) {
        let result = transformer.largestSize(source)
        let frameCount = moves ? max(1, source.frameCount) : 1
        guard result.area <= maximumResultPixels, result.area / 10 <= maximumResultPixels / frameCount else {
            throw WebImageError(
                .limitExceeded, stage: .transform, kind: .policy,
                reason: "the result would have \(result) pixels in \(frameCount) pictures on its way, more than the "
                    + "\(maximumResultPixels) of the service")
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
