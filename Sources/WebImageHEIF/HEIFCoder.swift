import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// HEIC and HEIF by libheif: HEVC and the codecs of libheif's other plugins, 8 to 12 bits, with or without alpha, grids
/// and overlays. Of a collection it decodes the primary picture. libheif 1.15 does not read the track of an image
/// sequence, so a sequence is decoded as its primary picture, too.
///
/// ```swift
/// ImageCodersManager.shared.add(.heif)
/// ```
/// Orientation and crop come from the item's properties; EXIF's orientation is informative only (ISO/IEC 23008-12
/// §A.2.1) and is not applied. One thread decodes a picture, in addition to one of the HEVC library.
///
/// libheif trusts a file's description of its items: one that refers to itself, or states a smaller size than its pictures
/// have, can end the process or take its memory. Files of strangers belong into processes of their own
/// (``WebImage/ImageCodersManager/isolation``).
public struct HEIFCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether `format` is HEIC or HEIF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .heic || format == .heif }

    /// Whether `format` is HEIC or HEIF.
    public func decodesRows(of format: ImageFormat) -> Bool { canDecode(format) }

    /// Size, alpha, orientation, depth and profile of the primary picture.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        // In a box that is cut, libheif cannot tell damage from an end that is still to come.
        try FileBeginning.read(isComplete: isComplete, mayMend: { $0 != .limitExceeded }) {
            () throws(WebImageError) in
            try HEIFFile.withFile(data) { file in file.header.properties }
        }
    }

    /// Decodes the primary picture; see ``ImageCoder/decode(_:options:)``. libheif does not check
    /// `options.cancellation` while it decodes; this coder checks it before and after.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try HEIFFile.withFile(data) { file throws(WebImageError) in
            let header = file.header
            let geometry = header.geometry.thumbnail(options)
            try header.geometry.check(header.format, options.limits)
            try options.checkCancellation()
            let bitmap = try file.decode(header.depth).bitmap(header, geometry, options)
            return geometry.makeImage(bitmap, of: header.format, options: options)
        }
    }
}

extension ImageCoder where Self == HEIFCoder {
    /// HEIC and HEIF by libheif, the primary picture of 8 to 12 bits; add it to ``WebImage/ImageCodersManager``. libheif
    /// trusts what a file says of itself, so that files of strangers are for processes of their own
    /// (``WebImage/ImageCodersManager/isolation``).
    public static var heif: HEIFCoder { HEIFCoder() }
}
