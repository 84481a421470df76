import CWebP
import FoundationEssentials
import WebImageCore

/// libwebp's encoder of one picture.
struct WebPCompressor {
    /// 0 to 1.
    let quality: Double
    let isLossless: Bool
    var cancellation: CancellationFlag?

    /// The format has 14 bits for each side.
    static let maximumSide = 16_383

    /// Encodes straight RGBA in rows `bytesPerRow` bytes apart.
    func encode(
        _ base: UnsafePointer<UInt8>, bytesPerRow: Int, size: PixelSize, isOpaque: Bool
    ) throws(WebImageError) -> Data {
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw .notEncoded(.webP, "\(size) pixels are more than \(Self.maximumSide) a side; use PNG or JPEG")
        }
        var configuration = try configuration()
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw Self.versionMismatch }
        picture.width = Int32(size.width)
        picture.height = Int32(size.height)
        picture.use_argb = isLossless ? 1 : 0
        defer { WebPPictureFree(&picture) }
        let isImported =
            isOpaque
            ? WebPPictureImportRGBX(&picture, base, Int32(bytesPerRow))
            : WebPPictureImportRGBA(&picture, base, Int32(bytesPerRow))
        guard isImported != 0 else { throw .notEncoded(.webP, "memory is short") }
        return try encode(&picture, with: &configuration)
    }

    /// libwebp's settings.
    func configuration() throws(WebImageError) -> WebPConfig {
        var configuration = WebPConfig()
        guard WebPConfigInit(&configuration) != 0 else { throw Self.versionMismatch }
        configuration.quality = quality.isNaN ? 100 : Float(min(max(quality, 0), 1) * 100)
        if isLossless {
            configuration.lossless = 1
            // In lossless mode quality means effort; 75 is cwebp's default. `exact` keeps the colours of transparent
            // pixels.
            configuration.quality = 75
            configuration.exact = 1
        }
        return configuration
    }

    private func encode(
        _ picture: inout WebPPicture, with configuration: inout WebPConfig
    ) throws(WebImageError) -> Data {
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let cancellation = cancellation ?? CancellationFlag()
        let isEncoded = withExtendedLifetime(cancellation) {
            withUnsafeMutablePointer(to: &writer) { writer in
                picture.writer = WebPMemoryWrite
                picture.custom_ptr = UnsafeMutableRawPointer(writer)
                picture.user_data = Unmanaged.passUnretained(cancellation).toOpaque()
                picture.progress_hook = { _, picture in
                    guard let flag = picture?.pointee.user_data else { return 1 }
                    return Unmanaged<CancellationFlag>.fromOpaque(flag).takeUnretainedValue().isCancelled ? 0 : 1
                }
                return WebPEncode(&configuration, &picture) != 0
            }
        }
        if picture.error_code == VP8_ENC_ERROR_USER_ABORT { throw .cancelled() }
        guard isEncoded, let bytes = writer.mem else {
            throw .notEncoded(.webP, "libwebp gave up with error \(picture.error_code.rawValue)")
        }
        return Data(bytes: bytes, count: writer.size)
    }

    private static let versionMismatch = WebImageError.notEncoded(.webP, "libwebp is of another version")
}
