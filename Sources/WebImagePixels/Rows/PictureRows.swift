import FoundationEssentials
import WebImageCore

/// A picture as its file's header describes it, for a coder of an app's own that decodes its rows; see
/// ``ImageDecodeOptions/image(of:animation:fillRow:)``.
public struct PictureRows: Sendable {
    /// Columns and rows as stored.
    public var size: PixelSize
    /// The format of the file.
    public var format: ImageFormat
    /// How stored pixels are turned to be upright; `.up` by default.
    public var orientation = ImageOrientation.up
    /// Whether every alpha is known to be at its maximum, which saves work. False by default.
    public var isOpaque = false
    /// Whether a channel has 16 bits in native byte order, up to 65,535, in place of 8. False by default.
    public var isDeep = false
    /// The file's ICC profile; nil, the default, for sRGB.
    public var iccProfile: Data?
    /// The number of frames in the file, which share the memory that the options allow; 1 by default.
    public var frameCount = 1
    /// The number of plays of an animation; 0, the default, for endless.
    public var loopCount = 0

    /// A still, upright picture in sRGB that may be translucent.
    public init(size: PixelSize, format: ImageFormat) {
        self.size = size
        self.format = format
    }

    fileprivate var source: PixelSource {
        PixelSource(
            size: size, layout: isDeep ? .rgba16 : .rgba, isOpaque: isOpaque,
            profile: iccProfile.flatMap { ColorProfile(bytes: $0).forPixels(areGray: false) })
    }
}

extension ImageDecodeOptions {
    /// The picture of a coder that decodes row by row, as the library's coders make theirs: in the size of a thumbnail,
    /// upright, in the colours and the layout that these options ask for, or the part that a transformer begins with. A
    /// picture in full size takes no second buffer; a thumbnail never takes memory for the whole picture.
    ///
    /// ```swift
    /// return try options.image(of: header.picture, animation: frames) { y, row throws(WebImageError) in
    ///     row.withUnsafeMutableBytes { $0.copyBytes(from: header.row(y, in: data)) }
    /// }
    /// ```
    /// - Parameters:
    ///   - animation: All frames, of which this is the first.
    ///   - fillRow: Writes row `y` as red, green, blue and alpha, which are not multiplied by it; called for all rows from
    ///     the top one down.
    /// - Throws: ``WebImageError/Code/limitExceeded`` before the first row, ``WebImageError/Code/cancelled`` between rows, and
    ///   the errors of `fillRow`.
    public func image(
        of picture: PictureRows, animation: (any AnimatedImageProvider)? = nil,
        fillRow: (_ y: Int, _ row: inout MutableSpan<UInt8>) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Image {
        guard !picture.size.isEmpty else { throw .damaged(picture.format, "it has no pixels") }
        let geometry = ThumbnailGeometry(
            storedSourceSize: picture.size, orientation: picture.orientation, frameCount: picture.frameCount,
            options: self)
        try limits.check(picture.format, source: picture.size, held: geometry.outputSize)
        let assembler = PixelAssembler(source: picture.source, geometry: geometry, options: self)
        let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<picture.size.height {
                try rows.withNext { row throws(WebImageError) in
                    var pixels = UnsafeMutableBufferPointer(start: row, count: assembler.sourceBytesPerRow).mutableSpan
                    try fillRow(y, &pixels)
                }
            }
        }
        return geometry.makeImage(
            bitmap, of: picture.format, frameCount: picture.frameCount, loopCount: picture.loopCount,
            animation: animation, options: self)
    }
}
