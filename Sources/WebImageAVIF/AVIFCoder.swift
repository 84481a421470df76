import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// AVIF by libavif: 8, 10 and 12 bits, with or without alpha, grids, layers and image sequences.
///
/// ```swift
/// ImageCodersManager.shared.add(.avif)
/// ```
/// One thread decodes a picture: loads of several pictures already use all processors.
public struct AVIFCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether `format` is AVIF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .avif }

    /// Whether `format` is AVIF.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .avif }

    /// Size, alpha, orientation, depth, profile, and the frames of an image sequence.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        // In a box that is cut, libavif cannot tell damage from an end that is still to come.
        try FileBeginning.read(isComplete: isComplete, mayMend: { $0 != .limitExceeded }) {
            () throws(WebImageError) in
            try AVIFFile.withFile(data, limits: .forHeaders) { file in file.header.properties }
        }
    }

    /// Decodes the picture, or the first frame of a sequence; see ``ImageCoder/decode(_:options:)``. libavif does not
    /// check `options.cancellation` while it decodes; this coder checks it before and after.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try AVIFFile.withFile(data, limits: options.limits) { file throws(WebImageError) in
            let header = file.header
            let geometry = header.geometry(options)
            try header.geometry.check(.avif, options.limits)
            try options.checkCancellation()
            try file.decodeFrame(at: 0)
            let bitmap = try AVIFPixels(file.image, header).bitmap(geometry, options)
            return geometry.makeImage(
                bitmap, of: .avif, frameCount: header.frameDurations.count, loopCount: header.loopCount,
                animation: header.isAnimated ? Self.animation(of: data, header, options) : nil, options: options)
        }
    }
}

extension ImageCoder where Self == AVIFCoder {
    /// AVIF by libavif, stills and sequences of 8 to 12 bits; add it to ``WebImage/ImageCodersManager``.
    public static var avif: AVIFCoder { AVIFCoder() }
}
