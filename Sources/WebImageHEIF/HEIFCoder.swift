import FoundationEssentials
import WebImage

/// HEIC and HEIF by libheif: HEVC and whatever else it has plugins for, 8 to 12 bits, with or without alpha, grids and
/// overlays. Of a collection it shows the primary picture; the pictures of an image sequence's track libheif 1.15 does not
/// read, so that a sequence is its primary picture.
///
/// ```swift
/// ImageCodersManager.shared.add(HEIFCoder())
/// ```
/// The orientation and the crop are those of the item's properties; EXIF's orientation is for information there
/// (ISO/IEC 23008-12 §A.2.1) and is not applied. One thread decodes a picture, beside one of the HEVC library.
public struct HEIFCoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with one of HEIF's brands, and are not AVIF.
    public func canDecode(_ data: Data) -> Bool { canDecode(ImageFormat(sniffing: data)) }

    /// Whether `format` is HEIC or HEIF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .heic || format == .heif }

    /// Size, alpha, orientation, depth and profile of the primary picture.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        // Where a box is cut, libheif cannot say whether it is damaged or will go on.
        try FileBeginning.read(isComplete: isComplete, mayMend: { $0 != .limitExceeded }) {
            () throws(WebImageError) in
            try HEIFFile.withFile(data) { file in file.header.properties }
        }
    }

    /// Decodes the primary picture; see ``ImageCoder/decode(_:options:)``. libheif does not look at
    /// `options.cancellation` while it decodes; that is looked at before and after.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try HEIFFile.withFile(data) { file throws(WebImageError) in
            let header = file.header
            let geometry = header.geometry.thumbnail(options)
            try header.geometry.check(header.format, options.limits)
            try options.checkCancellation()
            try HEIFItemCheck.check(file.primaryItem, of: file.items, limits: options.limits)
            let bitmap = try file.decode(header.depth(options)).bitmap(header, geometry, options)
            return geometry.makeImage(bitmap, of: header.format, options: options)
        }
    }
}
