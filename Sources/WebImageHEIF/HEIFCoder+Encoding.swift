import CHEIF
import FoundationEssentials
import WebImageCoders
import WebImageCore

extension HEIFCoder {
    /// Whether `format` is HEIC and libheif has an HEVC encoder, which comes with its x265 plugin.
    public func canEncode(_ format: ImageFormat) -> Bool {
        guard format == .heic else { return false }
        _ = HEIFLibrary.isReady
        return heif_have_encoder_for_format(heif_compression_HEVC) != 0
    }

    /// Writes HEIC of the requested quality, with 8 bits, and with alpha where the picture may be translucent.
    /// `options.isLossless` keeps all pixels.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``: another format, no HEVC encoder.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else {
            throw .notEncoded(
                format, "libheif has no HEVC encoder here (install its x265 plugin), or the HEIF coder was asked for it"
            )
        }
        let bitmap = try image.bitmap.limited(by: options)
        return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
            try HEIFCompressor(quality: quality).encode(bitmap)
        }
    }
}
