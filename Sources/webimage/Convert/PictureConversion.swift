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

    func convert(_ file: PictureFile, _ cancellation: CancellationFlag) throws(WebImageError) -> Result {
        let coder = ImageCodersManager.shared
        var options = decodeOptions
        options.formatHint = file.hint
        options.cancellation = cancellation
        options.decodesFirstFrameOnly = encodeOptions.encodesFirstFrameOnly || !WritableFormat.moving.contains(format)
        let image = try coder.decode(file.data, options: options)
        if keepsOriginal, image.metadata.format == format {
            return Result(
                data: file.data, format: format, size: image.pixelSize, frameCount: image.metadata.frameCount)
        }
        guard coder.canEncode(format) else { throw Self.cannotWrite(format) }
        let data = try coder.encode(image, to: format, options: encodeOptions)
        if cancellation.isCancelled { throw .cancelled() }
        let frameCount = options.decodesFirstFrameOnly ? 1 : image.animation?.frameCount ?? 1
        return Result(
            data: data, format: format, size: image.pixelSize.limited(by: encodeOptions), frameCount: frameCount)
    }

    private static func cannotWrite(_ format: ImageFormat) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent,
            reason: "\(format) is only read; write \(WritableFormat.list)")
    }
}
