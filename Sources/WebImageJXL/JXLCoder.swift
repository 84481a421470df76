import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// JPEG XL by libjxl: lossy and lossless, bare codestreams and containers, alpha, layers and animations, and
/// recompressed JPEG files.
///
/// ```swift
/// ImageCodersManager.shared.add(.jpegXL)
/// ```
/// One thread decodes a picture: loads of several pictures already use all processors.
public struct JXLCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether `format` is JPEG XL.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .jpegXL }

    /// Size, alpha, orientation, depth, profile, and the frames of an animation. The properties of a still picture need
    /// the bytes up to its pixels; those of an animation need the whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`; of a file whose first frame alone is wanted, those of that frame.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        var options = options
        options.limits = options.limits.forHeaders
        return try FileBeginning.read(isComplete: isComplete) { [options] () throws(WebImageError) in
            try JXLContents(of: data, options: options).properties
        }
    }

    /// Decodes the picture, or the first frame of an animation; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let contents = try JXLContents(of: data, options: options)
        let geometry = contents.geometry(options)
        let bitmap = try JXLDecompressor.withWhole(data, options) { decompressor throws(WebImageError) in
            try JXLPixels(decompressor).nextFrame(geometry, options)
        }
        return geometry.makeImage(
            bitmap, of: .jpegXL, frameCount: contents.frameCount, loopCount: contents.loopCount,
            animation: contents.isAnimated ? Self.animation(of: data, contents, options) : nil, options: options)
    }
}

extension ImageCoder where Self == JXLCoder {
    /// JPEG XL by libjxl, stills and animations of any depth; add it to ``WebImage/ImageCodersManager``.
    public static var jpegXL: JXLCoder { JXLCoder() }
}
