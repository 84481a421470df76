import CHEIF
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// libheif's reader of one file. Belongs to one thread at a time.
final class HEIFFile {
    /// The content of the boxes.
    let header: HEIFHeader

    private let context: OpaquePointer
    private let primary: OpaquePointer

    /// Opens a file for the duration of `body`.
    static func withFile<Result>(
        _ data: Data, _ body: (HEIFFile) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        let properties = ItemPropertyReader(data, format: .heif)
        // A format hint may lead here for a file without the signature.
        let told = ImageFormat(sniffing: data)
        let format = told == .undefined ? .heif : told
        try HEIFKind.requireItems(in: data, format)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try HEIFKind.withErrors(of: properties, format) { () throws(WebImageError) in
                try body(try HEIFFile(bytes, format: format, properties))
            }
        }
    }

    /// - Parameter bytes: The file; it must outlive this object.
    private init(
        _ bytes: UnsafeRawBufferPointer, format: ImageFormat, _ properties: ItemPropertyReader
    ) throws(WebImageError) {
        let transformations = try properties.transformationsOfPrimaryItem()
        _ = HEIFLibrary.isReady
        guard let context = heif_context_alloc() else { throw .outOfMemory(for: PixelSize(width: 0, height: 0)) }
        var primary: OpaquePointer?
        do throws(WebImageError) {
            heif_context_set_max_decoding_threads(context, 0)
            webimage_heif_allow_properties(context)
            try HEIFLibrary.check(
                heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil), format)
            try HEIFLibrary.check(heif_context_get_primary_image_handle(context, &primary), format)
            guard let primary else { throw .damaged(format, "it has no primary picture") }
            header = try Self.header(of: primary, format, transformations, properties)
            self.primary = primary
        } catch {
            heif_image_handle_release(primary)
            heif_context_free(context)
            throw error
        }
        self.context = context
    }

    deinit {
        heif_image_handle_release(primary)
        heif_context_free(context)
    }

    /// Decodes the primary picture as it is stored.
    func decode(_ depth: PixelDepth) throws(WebImageError) -> HEIFPixels {
        guard let options = heif_decoding_options_alloc() else { throw .outOfMemory(for: header.geometry.storedSize) }
        defer { heif_decoding_options_free(options) }
        options.pointee.ignore_transformations = 1
        // Otherwise libheif 1.23 fills the place of a part that it cannot decode with green, and tells no error.
        options.pointee.strict_decoding = 1
        options.pointee.convert_hdr_to_8bit = depth == .eight ? 1 : 0
        let chroma = depth == .eight ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RRGGBBAA_LE
        var image: OpaquePointer?
        try HEIFLibrary.check(
            heif_decode_image(primary, &image, heif_colorspace_RGB, chroma, options), header.format)
        guard let image else { throw .damaged(header.format, "it has no pixels") }
        return HEIFPixels(image, depth)
    }

    private static func header(
        of primary: OpaquePointer, _ format: ImageFormat, _ transformations: [ItemTransformation],
        _ properties: ItemPropertyReader
    ) throws(WebImageError) -> HEIFHeader {
        let size = PixelSize(
            width: Int(heif_image_handle_get_ispe_width(primary)),
            height: Int(heif_image_handle_get_ispe_height(primary)))
        guard !size.isEmpty else { throw .damaged(format, "its picture has no size") }
        return HEIFHeader(
            format: format, geometry: ItemGeometry(storedSize: size, transformations: transformations),
            bitsPerChannel: max(1, Int(heif_image_handle_get_luma_bits_per_pixel(primary))),
            hasAlpha: heif_image_handle_has_alpha_channel(primary) != 0,
            isPremultiplied: heif_image_handle_is_premultiplied_alpha(primary) != 0,
            profile: profile(primary), isGray: try properties.isPrimaryItemGray() ?? true,
            colors: try colors(properties))
    }

    /// Read here, since libheif 1.15 leaks memory for a number that it does not know.
    private static func colors(_ properties: ItemPropertyReader) throws(WebImageError) -> CodedColors? {
        guard let numbers = try properties.colorsOfPrimaryItem() else { return nil }
        var colors = CodedColors(primaries: numbers.primaries, transfer: numbers.transfer)
        if colors?.transfer == .perceptualQuantizer {
            colors?.peakLuminance = try properties.peakLuminanceOfPrimaryItem()
        }
        return colors == .sRGB ? nil : colors
    }

    private static func profile(_ primary: OpaquePointer) -> ColorProfile? {
        let count = heif_image_handle_get_raw_color_profile_size(primary)
        guard count > 0 else { return nil }
        var bytes = Data(count: count)
        let result = bytes.withUnsafeMutableBytes {
            heif_image_handle_get_raw_color_profile(primary, $0.baseAddress)
        }
        return result.code == heif_error_Ok ? ColorProfile(bytes: bytes) : nil
    }
}
