import WebImage
import WebImageCommandLine

/// Changes of pixels, ready to be made.
struct PictureEditing: Sendable {
    struct Step: Sendable {
        /// The option as typed.
        let option: String
        var transformer: any ImageTransformer
    }

    var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    /// The first step, where the decode of a large still picture can do it row by row.
    func beginning(
        of picture: ImageProperties, by coder: any ImageCoder, options: ImageDecodeOptions
    ) -> TransformBeginning? {
        steps.first.flatMap { TransformBeginning(of: $0.transformer, on: picture, by: coder, options: options) }
    }

    /// The size of the picture before the changes, of which the decode may have done the beginning.
    func sizeBefore(_ image: Image) -> PixelSize {
        beginning(doneIn: image) == nil ? image.pixelSize : image.metadata.originalPixelSize ?? image.pixelSize
    }

    private func beginning(doneIn image: Image) -> TransformBeginning? {
        steps.first.flatMap { TransformBeginning(of: $0.transformer, doneIn: image, scale: 1) }
    }

    /// Finds an impossible step before any work, as far as the sizes are known then.
    ///
    /// - Throws: ``WebImageError/Code/invalidOperation``.
    func check(_ size: PixelSize) throws(WebImageError) {
        var size = size
        for step in steps {
            switch step.transformer.forecastedSize(for: size, scale: 1) {
            case .size(let next): size = next
            case .unknown: return
            case .impossible(let obstacle): throw .impossible(step, size, obstacle)
            }
        }
    }

    /// The picture after all steps, with its metadata; an animation's frames are changed when they are asked for.
    ///
    /// - Parameter image: As it was decoded, perhaps with the beginning of the first step done.
    /// - Throws: ``WebImageError/Code/invalidOperation`` for a step that leaves nothing, and
    ///   ``WebImageError/Code/cancelled``.
    func edited(_ image: Image, until cancellation: CancellationFlag) throws(WebImageError) -> Image {
        guard !isEmpty else { return image }
        try check(sizeBefore(image))
        var editing = self
        if let beginning = beginning(doneIn: image) { editing.steps[0].transformer = beginning.rest }
        if let animation = image.animation { editing = editing.settled(on: animation, cancellation) }
        return Image(
            bitmap: try editing.edited(image.bitmap, until: cancellation), metadata: image.metadata,
            animation: image.animation.map { EditedAnimation($0, editing: editing, cancellation: cancellation) },
            decodeOptions: image.decodeOptions)
    }

    /// The steps for the frames of an animation, each by itself.
    private func settled(
        on animation: any AnimatedImageProvider, _ cancellation: CancellationFlag
    ) -> PictureEditing {
        let settled = ImagePipelineTransformer(steps.map(\.transformer))
            .steps(forFramesOf: animation, scale: 1, cancellation: cancellation)
        return PictureEditing(steps: zip(steps, settled).map { Step(option: $0.option, transformer: $1) })
    }

    fileprivate func edited(_ bitmap: Bitmap, until cancellation: CancellationFlag) throws(WebImageError) -> Bitmap {
        // Without a scale: a point is a pixel.
        var picture = Image(bitmap: bitmap)
        let whole = ImagePipelineTransformer(steps.map(\.transformer))
        if let result = whole.transform(picture, for: Self.key, cancellation: cancellation) { return result.bitmap }
        for step in steps {
            try cancellation.check()
            guard let next = step.transformer.transform(picture, for: Self.key, cancellation: cancellation) else {
                try cancellation.check()
                throw .impossible(step, picture.pixelSize, nil)
            }
            picture = next
        }
        return picture.bitmap
    }

    /// Nothing is stored.
    private static let key = CacheKey("")
}

/// The frames of another animation with changes of pixels.
private final class EditedAnimation: AnimatedImageProvider {
    private let source: any AnimatedImageProvider
    private let editing: PictureEditing
    private let cancellation: CancellationFlag

    init(_ source: any AnimatedImageProvider, editing: PictureEditing, cancellation: CancellationFlag) {
        self.source = source
        self.editing = editing
        self.cancellation = cancellation
    }

    var frameCount: Int { source.frameCount }
    var loopCount: Int { source.loopCount }

    func frame(at index: Int) throws(WebImageError) -> Bitmap {
        try editing.edited(try source.frame(at: index), until: cancellation)
    }

    func duration(at index: Int) -> Duration { source.duration(at: index) }

    func preloadAllFrames() {}
}

extension Image {
    /// The still picture of an animation, for a format without animations.
    var firstFrame: Image {
        guard animation != nil else { return self }
        return Image(bitmap: bitmap, metadata: metadata, decodeOptions: decodeOptions)
    }
}

extension WebImageError {
    /// - Parameter obstacle: Nil where the sizes would allow the step.
    fileprivate static func impossible(
        _ step: PictureEditing.Step, _ size: PixelSize, _ obstacle: SizeForecast.Obstacle?
    ) -> WebImageError {
        WebImageError(
            obstacle == nil ? .limitExceeded : .invalidOperation, stage: .decode, kind: .permanent,
            reason: "\(step.option) is impossible with a picture of \(size) pixels: \(why(obstacle, size))")
    }

    private static func why(_ obstacle: SizeForecast.Obstacle?, _ size: PixelSize) -> String {
        switch obstacle {
        case .nothingLeft:
            "nothing of it is there; begin within 0,0 to \(size.width - 1),\(size.height - 1)"
        case .tooLarge:
            "the result would have more than \(ImageLimits().maximumPixelCount) pixels; choose smaller numbers, or "
                + "make the picture smaller before, with --resize"
        case .invalidNumber: "a number of it makes no picture; choose another one"
        case nil:
            "there is not enough memory for the result; make the picture smaller before, with --resize or --thumbnail"
        }
    }
}
