import FoundationEssentials
import WebImage

/// Twelve megapixels in a format other than JPEG to 300 pixels, against libvips.
struct OtherThumbnail<Codec: BareCodec>: Benchmark {
    static var id: String { "\(Codec.name)-thumbnail" }
    static var what: String { "12-megapixel \(Codec.name) to 300 px" }

    func run() async throws -> Measurement {
        let file = try Codec.file()
        let outcome = try await Turns(count: 7, warmUp: 1).compareProcessorTime {
            try ThumbnailDecode.ours(file, by: Codec.coder)
        } rival: {
            try ThumbnailDecode.vips(file)
        }
        return measurement(outcome, rival: "vips_thumbnail_buffer", goal: 1)
    }
}

/// Colours are converted after the reduction: 67,500 pixels take about a millisecond; twelve megapixels would take 150.
struct ColorThumbnail: Benchmark {
    static let id = "jpeg-thumbnail-p3"
    static let what = "12-megapixel JPEG in Display P3 to 300 px"

    func run() async throws -> Measurement {
        let plain = try SamplePhoto.twelveMegapixels.jpeg()
        let wide = plain.withProfile(try WideGamutProfile.displayP3())
        let outcome = try await Turns().compareProcessorTime {
            try ThumbnailDecode.ours(wide)
        } rival: {
            try ThumbnailDecode.ours(plain)
        }
        return measurement(outcome, rival: "the same in sRGB", goal: 1.2)
    }
}

/// An sRGB profile needs no conversion.
struct SRGBThumbnail: Benchmark {
    static let id = "jpeg-decode-srgb"
    static let what = "12-megapixel JPEG at full size with a profile of sRGB"

    func run() async throws -> Measurement {
        let plain = try SamplePhoto.twelveMegapixels.jpeg()
        let tagged = plain.withProfile(try WideGamutProfile.sRGB())
        let outcome = try await Turns().compareProcessorTime {
            _ = try ImageCodersManager.shared.decode(tagged, options: ImageDecodeOptions())
        } rival: {
            _ = try ImageCodersManager.shared.decode(plain, options: ImageDecodeOptions())
        }
        return measurement(outcome, rival: "the same without a profile", goal: 1.1)
    }
}

extension Data {
    /// A JPEG file with an ICC profile of one segment (ICC.1 annex B.4) after its first marker.
    fileprivate func withProfile(_ profile: Data) -> Data {
        let content = Data("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = content.count + 2
        let segment = Data([0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]) + content
        return prefix(2) + segment + dropFirst(2)
    }
}
