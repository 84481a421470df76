import CWebP
import CWebPMux
import FoundationEssentials
import WebImage
import WebImageCommandLine

/// An animation of libwebpmux, which keeps what differs from frame to frame, compressed.
struct AnimatedWebPWriter: FrameWriter {
    /// Gets the file's bytes at the end.
    typealias Output = (Data) throws(WebImageError) -> Void

    private let encoder: AnimationEncoder
    private let output: Output

    /// - Parameter quality: 1 to 100.
    init(size: PixelSize, quality: Int, output: @escaping Output) throws(WebImageError) {
        encoder = try AnimationEncoder(size: size, quality: quality)
        self.output = output
    }

    func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError) {
        try encoder.append(bitmap, time: time)
    }

    func finish(end: Int) throws(WebImageError) -> Int {
        let data = try encoder.assemble(end: end)
        try output(data)
        return data.count
    }

    func discard() {}
}

/// Owns libwebpmux's encoder.
private final class AnimationEncoder {
    private let encoder: OpaquePointer
    private var configuration: WebPConfig

    init(size: PixelSize, quality: Int) throws(WebImageError) {
        var options = WebPAnimEncoderOptions()
        configuration = WebPConfig()
        guard WebPAnimEncoderOptionsInit(&options) != 0, WebPConfigInit(&configuration) != 0 else {
            throw Self.failure("libwebpmux is of another version")
        }
        configuration.quality = Float(quality)
        // Most of the time goes into this; 4 is the usual, and of 6 the files are hardly smaller.
        configuration.method = 4
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options) else {
            throw Self.failure("there is no memory for \(size) pixels")
        }
        self.encoder = encoder
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    func append(_ bitmap: Bitmap, time: Int) throws(WebImageError) {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw Self.failure("libwebp is of another version") }
        picture.use_argb = 1
        picture.width = Int32(bitmap.size.width)
        picture.height = Int32(bitmap.size.height)
        defer { WebPPictureFree(&picture) }
        let isImported = try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            WebPPictureImportRGBA(&picture, base, Int32(bytesPerRow)) != 0
        }
        guard isImported else { throw Self.failure("memory is short") }
        guard WebPAnimEncoderAdd(encoder, &picture, Int32(time), &configuration) != 0 else { throw failure() }
    }

    func assemble(end: Int) throws(WebImageError) -> Data {
        var bytes = WebPData()
        WebPDataInit(&bytes)
        defer { WebPDataClear(&bytes) }
        guard WebPAnimEncoderAdd(encoder, nil, Int32(end), nil) != 0, WebPAnimEncoderAssemble(encoder, &bytes) != 0,
            let start = bytes.bytes
        else { throw failure() }
        return Data(bytes: start, count: bytes.size)
    }

    private func failure() -> WebImageError {
        Self.failure(WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "libwebpmux gave up")
    }

    private static func failure(_ reason: String) -> WebImageError {
        WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "cannot write WebP: \(reason)")
    }
}
