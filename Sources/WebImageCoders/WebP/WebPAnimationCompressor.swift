import CWebP
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// libwebpmux's encoder of animations, which stores and compresses the differences between frames.
package final class WebPAnimationCompressor {
    /// The memory that libwebpmux and libwebp take for one frame, measured with version 1.2.4 and rounded up, with
    /// copies of its pixels.
    static let bytesPerPixel = 48

    private let encoder: OpaquePointer
    private var configuration: WebPConfig

    /// - Parameters:
    ///   - quality: 0 to 1; ignored for lossless frames.
    ///   - loopCount: 0 for endless.
    package init(
        size: PixelSize, quality: Double, isLossless: Bool = false, loopCount: Int = 0
    ) throws(WebImageError) {
        guard max(size.width, size.height) <= WebPCompressor.maximumSide else {
            throw .notEncoded(.webP, "\(size) pixels are more than \(WebPCompressor.maximumSide) a side; use PNG")
        }
        var options = WebPAnimEncoderOptions()
        guard WebPAnimEncoderOptionsInit(&options) != 0 else {
            throw .notEncoded(.webP, "libwebpmux is of another version")
        }
        options.anim_params.loop_count = Int32(min(max(0, loopCount), 0xFFFF))
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options) else {
            throw .notEncoded(.webP, "there is no memory for \(size) pixels")
        }
        self.encoder = encoder
        configuration = try WebPCompressor(quality: quality, isLossless: isLossless).configuration()
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// Adds a frame that starts at `time`.
    ///
    /// - Parameter time: Milliseconds since the first frame; must increase.
    package func append(_ bitmap: Bitmap, time: Int) throws(WebImageError) {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw .notEncoded(.webP, "libwebp is of another version") }
        picture.use_argb = 1
        picture.width = Int32(bitmap.size.width)
        picture.height = Int32(bitmap.size.height)
        defer { WebPPictureFree(&picture) }
        let isImported = try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            bitmap.isOpaque
                ? WebPPictureImportRGBX(&picture, base, Int32(bytesPerRow)) != 0
                : WebPPictureImportRGBA(&picture, base, Int32(bytesPerRow)) != 0
        }
        guard isImported else { throw .notEncoded(.webP, "memory is short") }
        guard WebPAnimEncoderAdd(encoder, &picture, Self.clamp(time), &configuration) != 0 else { throw failure() }
    }

    /// Ends the file.
    ///
    /// - Parameter end: The end of the last frame in milliseconds.
    package func finish(end: Int) throws(WebImageError) -> Data {
        var bytes = WebPData()
        WebPDataInit(&bytes)
        defer { WebPDataClear(&bytes) }
        guard WebPAnimEncoderAdd(encoder, nil, Self.clamp(end), nil) != 0,
            WebPAnimEncoderAssemble(encoder, &bytes) != 0, let start = bytes.bytes
        else { throw failure() }
        return Data(bytes: start, count: bytes.size)
    }

    private func failure() -> WebImageError {
        .notEncoded(.webP, WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "libwebpmux gave up")
    }

    private static func clamp(_ time: Int) -> Int32 { Int32(min(time, Int(Int32.max))) }
}
