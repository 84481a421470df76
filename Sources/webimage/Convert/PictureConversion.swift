import FoundationEssentials
import WebImage
import WebImageCommandLine

/// Converts one picture's file: decodes it, and encodes the result with all of its frames.
struct PictureConversion: Sendable {
    /// The result.
    struct Result: Sendable {
        let data: Data
        let format: ImageFormat
        let size: PixelSize
        let frameCount: Int
    }

    let format: ImageFormat
    let decodeOptions: ImageDecodeOptions
    let encodeOptions: ImageEncodeOptions
    /// The changes of pixels between the two.
    let editing: PictureEditing
    /// Whether any option requires writing the file again, for every picture.
    let rewrites: Bool
    /// Whether a page or frame was requested, so that the file with all of them is not the result.
    let takesPart: Bool

    /// - Parameter began: Gets what is done next.
    func convert(
        _ file: PictureFile, _ cancellation: CancellationFlag, began: (_ activity: String) -> Void
    ) throws(WebImageError) -> Result {
        let coder = ImageCodersManager.shared
        var options = decodeOptions
        options.formatHint = file.hint
        options.cancellation = cancellation
        options.decodesFirstFrameOnly = encodeOptions.encodesFirstFrameOnly || !WritableFormat.moving.contains(format)
        try checkPage(of: file)
        began("reading")
        let beginning = try beginning(of: file, options: options)
        options.region = beginning?.region
        let image = try coder.decode(file.data, options: options)
        if isAnswer(file, image) {
            return Result(
                data: file.data, format: format, size: image.pixelSize, frameCount: image.metadata.frameCount)
        }
        guard coder.canEncode(format) else { throw Self.cannotWrite(format) }
        let edited = try editing.edited(image, until: cancellation)
        began("writing \(format)")
        var encodeOptions = encodeOptions
        encodeOptions.cancellation = cancellation
        let data = try coder.encode(edited, to: format, options: encodeOptions)
        if cancellation.isCancelled { throw .cancelled() }
        return Result(
            data: data, format: format, size: edited.pixelSize.limited(by: encodeOptions),
            frameCount: image.animation.map { frameCount(of: data) ?? $0.frameCount } ?? 1)
    }

    /// Encoders write frames that are alike as one.
    private func frameCount(of data: Data) -> Int? {
        var options = ImageDecodeOptions()
        options.formatHint = .format(format)
        return (try? ImageCodersManager.shared.properties(of: data, isComplete: true, options: options))??.frameCount
    }

    /// - Throws: ``WebImageError/Code/invalidOperation`` for a change that is impossible with the picture.
    private func beginning(
        of file: PictureFile, options: ImageDecodeOptions
    ) throws(WebImageError) -> TransformBeginning? {
        guard !editing.isEmpty,
            let properties = try ImageCodersManager.shared.properties(of: file.data, isComplete: true, options: options)
        else { return nil }
        if options.decodesWholePicture { try editing.check(properties.pixelSize) }
        return editing.beginning(of: properties, by: ImageCodersManager.shared, options: options)
    }

    /// Whether the file already is what was requested, so that encoding it again could only lose quality.
    private func isAnswer(_ file: PictureFile, _ image: Image) -> Bool {
        guard !rewrites, image.metadata.format == format, !image.metadata.isThumbnail,
            image.pixelSize.limited(by: encodeOptions) == image.pixelSize,
            file.data.count <= encodeOptions.maxFileSize ?? .max
        else { return false }
        return !takesPart || hasOnePart(file)
    }

    private func hasOnePart(_ file: PictureFile) -> Bool {
        let coder = ImageCodersManager.shared
        let properties = try? coder.properties(of: file.data, isComplete: true, options: decodeOptions)
        return properties?.frameCount == 1
    }

    /// Only documents have a second page; pages count from 1.
    private func checkPage(of file: PictureFile) throws(WebImageError) {
        guard decodeOptions.pageIndex > 0,
            let properties = try ImageCodersManager.shared.properties(
                of: file.data, isComplete: true, options: decodeOptions)
        else { return }
        let count = WritableFormat.paged.contains(properties.format) ? properties.frameCount : 1
        guard decodeOptions.pageIndex >= count else { return }
        throw WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "there is no page \(decodeOptions.pageIndex + 1): the \(properties.format) file has "
                + (count == 1 ? "only one" : "\(count)"))
    }

    private static func cannotWrite(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent,
            reason: "\(format) is only read; write \(WritableFormat.list("or"))")
    }
}
