import WebImage
import WebImageCommandLine

/// Changes of pixels, ready to be made.
struct PictureEditing: Sendable {
    struct Step: Sendable {
        /// The option as typed.
        let option: String
        let transformer: any ImageTransformer
    }

    var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    /// The first step, where the decode of a large still picture can do it row by row.
    func beginning(of picture: ImageProperties, options: ImageDecodeOptions) -> TransformBeginning? {
        steps.first.flatMap { TransformBeginning(of: $0.transformer, on: picture, options: options) }
    }

    /// The steps for a picture of which the decode has done the beginning.
    func after(_ beginning: TransformBeginning) -> PictureEditing {
        guard let first = steps.first else { return self }
        return PictureEditing(steps: [Step(option: first.option, transformer: beginning.rest)] + steps.dropFirst())
    }

    /// The picture after all steps, with its metadata; an animation's frames are changed when they are asked for.
    ///
    /// - Throws: ``WebImageError/Code/invalidOperation`` for a step that leaves nothing.
    func edited(_ image: Image) throws(WebImageError) -> Image {
        guard !isEmpty else { return image }
        return Image(
            bitmap: try edited(image.bitmap), metadata: image.metadata,
            animation: image.animation.map { EditedAnimation($0, editing: self) }, decodeOptions: image.decodeOptions)
    }

    fileprivate func edited(_ bitmap: Bitmap) throws(WebImageError) -> Bitmap {
        // Without a scale: a point is a pixel.
        var picture = Image(bitmap: bitmap)
        let whole = ImagePipelineTransformer(steps.map(\.transformer))
        if let result = whole.transform(picture, for: Self.key) { return result.bitmap }
        for step in steps {
            guard let next = step.transformer.transform(picture, for: Self.key) else {
                throw .impossible(step, picture.pixelSize)
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

    init(_ source: any AnimatedImageProvider, editing: PictureEditing) {
        self.source = source
        self.editing = editing
    }

    var frameCount: Int { source.frameCount }
    var loopCount: Int { source.loopCount }

    func frame(at index: Int) throws(WebImageError) -> Bitmap { try editing.edited(try source.frame(at: index)) }

    func duration(at index: Int) -> Duration { source.duration(at: index) }

    func preloadAllFrames() {}
}

extension WebImageError {
    fileprivate static func impossible(_ step: PictureEditing.Step, _ size: PixelSize) -> WebImageError {
        WebImageError(
            .invalidOperation, stage: .decode, kind: .permanent,
            reason: "\(step.option) is impossible with a picture of \(size) pixels: nothing would be left, or it would "
                + "be too large")
    }
}
