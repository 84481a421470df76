import FoundationEssentials
import WebImage
import WebImageTesting

/// A sample as it is, or reduced and encoded in another format on demand.
nonisolated struct PictureVariant: Sendable {
    let sample: SamplePictures.Sample
    /// 0 for the sample as it is.
    let series: Int

    private static let sides = [1024, 800, 640, 512, 400, 320]
    private static let formats: [ImageFormat] = [.webP, .jpeg, .png, .jpeg, .webP]

    private var side: Int { Self.sides[series % Self.sides.count] }
    private var format: ImageFormat { Self.formats[series % Self.formats.count] }

    var path: String {
        guard series > 0 else { return "/\(sample.name)" }
        let stem = sample.name.split(separator: ".").first ?? "picture"
        return "/\(stem)-\(side).\(format.fileExtension ?? "")"
    }

    /// nil when the sample cannot be decoded; the client gets a 404 then.
    var response: OriginResponse? {
        guard series > 0 else { return .picture(sample.data) }
        return encoded.map { .picture($0) }
    }

    private var encoded: Data? {
        var decoding = ImageDecodeOptions()
        decoding.thumbnailPixelSize = PixelSize(width: side, height: side)
        var encoding = ImageEncodeOptions()
        encoding.compressionQuality = 0.82
        let coders = ImageCodersManager.shared
        guard let image = try? coders.decode(sample.data, options: decoding) else { return nil }
        return try? coders.encode(image, to: format, options: encoding)
    }
}
