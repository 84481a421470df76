import CHEIF
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// libheif's encoder of one HEIC file. Belongs to one thread.
final class HEIFCompressor {
    private let context: OpaquePointer
    private let encoder: OpaquePointer
    private let isLossless: Bool

    /// - Parameter quality: 0 to 1; nil for lossless.
    init(quality: Double?) throws(WebImageError) {
        isLossless = quality == nil
        guard let context = heif_context_alloc() else { throw .notEncoded(.heic, "memory is short") }
        var encoder: OpaquePointer?
        let result = heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder)
        guard result.code == heif_error_Ok, let encoder else {
            heif_context_free(context)
            throw .notEncoded(.heic, "libheif has no HEVC encoder")
        }
        self.context = context
        self.encoder = encoder
        heif_encoder_set_lossless(encoder, isLossless ? 1 : 0)
        if let quality { heif_encoder_set_lossy_quality(encoder, Int32((quality * 100).rounded())) }
        if quality.map({ $0 >= 0.9 }) ?? true { heif_encoder_set_parameter_string(encoder, "chroma", "444") }
    }

    deinit {
        heif_encoder_release(encoder)
        heif_context_free(context)
    }

    func encode(_ bitmap: Bitmap) throws(WebImageError) -> Data {
        let image = try Self.image(of: bitmap)
        defer { heif_image_release(image) }
        guard let options = heif_encoding_options_alloc(), let colors = heif_nclx_color_profile_alloc() else {
            throw .notEncoded(.heic, "memory is short")
        }
        defer {
            heif_nclx_color_profile_free(colors)
            heif_encoding_options_free(options)
        }
        colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
        colors.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
        colors.pointee.matrix_coefficients =
            isLossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6
        colors.pointee.full_range_flag = 1
        options.pointee.output_nclx_profile = colors
        // Without the profile, libheif first converts with other coefficients, and rounds.
        try Self.check(heif_image_set_nclx_color_profile(image, colors))
        try Self.check(heif_context_encode_image(context, image, encoder, options, nil))
        return try write()
    }

    private func write() throws(WebImageError) -> Data {
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, bytes, count, result in
            if let bytes { result?.assumingMemoryBound(to: Data.self).pointee.append(Data(bytes: bytes, count: count)) }
            return webimage_heif_success()
        }
        var file = Data()
        let result = withUnsafeMutablePointer(to: &file) { heif_context_write(context, &writer, $0) }
        try Self.check(result)
        return file
    }

    private static func image(of bitmap: Bitmap) throws(WebImageError) -> OpaquePointer {
        let (width, height) = (Int32(clamping: bitmap.size.width), Int32(clamping: bitmap.size.height))
        var image: OpaquePointer?
        let chroma = bitmap.isOpaque ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RGBA
        try check(heif_image_create(width, height, heif_colorspace_RGB, chroma, &image))
        guard let image else { throw .notEncoded(.heic, "memory is short") }
        do throws(WebImageError) {
            try check(heif_image_add_plane(image, heif_channel_interleaved, width, height, 8))
            try fill(image, with: bitmap)
        } catch {
            heif_image_release(image)
            throw error
        }
        return image
    }

    private static func fill(_ image: OpaquePointer, with bitmap: Bitmap) throws(WebImageError) {
        var stride: Int32 = 0
        guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride) else {
            throw .notEncoded(.heic, "memory is short")
        }
        let bytesPerPixel = bitmap.isOpaque ? 3 : 4
        try bitmap.withStraightPixels { base, bytesPerRow in
            for y in 0..<bitmap.size.height {
                let (from, to) = (base + y * bytesPerRow, plane + y * Int(stride))
                for x in 0..<bitmap.size.width {
                    (to + x * bytesPerPixel).update(from: from + x * 4, count: bytesPerPixel)
                }
            }
        }
    }

    private static func check(_ result: heif_error) throws(WebImageError) {
        guard result.code != heif_error_Ok else { return }
        throw .notEncoded(.heic, "libheif says: " + (HEIFLibrary.sentence(of: result) ?? "nothing"))
    }
}
