import FoundationEssentials
import WebImageCore
import WebImagePixels

/// Windows icons and cursors with bitmaps or PNG files in them; read only.
///
/// A file contains one picture in several sizes. The coder decodes the largest one, and of those the deepest. For a
/// thumbnail it takes the smallest that is large enough.
public struct ICOCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with the signature of an icon or a cursor.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(4)) == .ico }

    /// Whether `format` is ICO.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .ico }

    /// The properties of the largest picture; needs the headers of all. Other sizes do not count as frames.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            var options = ImageDecodeOptions().timed()
            options.limits = .forHeaders
            return try ICODirectory(data, isComplete: isComplete, options: options).best.properties
        }
    }

    /// Decodes the picture that suits the requested size best.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let directory = try ICODirectory(data, isComplete: true, options: options)
        let geometry = ThumbnailGeometry(storedSourceSize: directory.best.size, orientation: .up, options: options)
        let entry = geometry.isThumbnail ? directory.nearest(to: geometry.outputSize) : directory.best
        let bitmap = try entry.decode(geometry: geometry, options: options)
        return geometry.makeImage(bitmap, of: .ico, options: options)
    }
}

extension ImageCoder where Self == ICOCoder {
    /// Windows icons and cursors: the largest of their pictures.
    public static var ico: ICOCoder { ICOCoder() }
}
