import FoundationEssentials
import WebImage
import WebImageCommandLine

/// Turns one picture's file into another: decodes, and encodes what came of it with all of its frames.
struct PictureConversion: Sendable {
    /// What was written.
    struct Result: Sendable {
        let data: Data
        let format: ImageFormat
        let size: PixelSize
        let frameCount: Int
    }

    let format: ImageFormat
    let decodeOptions: ImageDecodeOptions
    let encodeOptions: ImageEncodeOptions
    let keepsOriginal: Bool

    func convert(_ file: PictureFile) throws(WebImageError) -> Result {
        let coder = ImageCodersManager.shared
        var options = decodeOptions
        options.formatHint = file.hint
        options.decodesFirstFrameOnly = encodeOptions.encodesFirstFrameOnly || !WritableFormat.moving.contains(format)
        let image = try coder.decode(file.data, options: options)
        if keepsOriginal, image.metadata.format == format {
            return Result(
                data: file.data, format: format, size: image.pixelSize, frameCount: image.metadata.frameCount)
        }
        guard coder.canEncode(format) else { throw Self.cannotWrite(format) }
        guard let animation = image.animation, WritableFormat.moving.contains(format) else {
            let data = try coder.encode(image, to: format, options: encodeOptions)
            return Result(data: data, format: format, size: image.pixelSize, frameCount: 1)
        }
        var frames: [ImageFrame] = []
        for index in 0..<animation.frameCount {
            if Task.isCancelled { throw .cancelled() }
            frames.append(
                ImageFrame(bitmap: try animation.frame(at: index), duration: animation.duration(at: index)))
        }
        let data = try coder.encode(frames, loopCount: animation.loopCount, to: format, options: encodeOptions)
        return Result(data: data, format: format, size: image.pixelSize, frameCount: frames.count)
    }

    private static func cannotWrite(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent,
            reason: "\(format) is only read; write \(WritableFormat.list)")
    }
}
