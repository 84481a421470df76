import CAVIF
import WebImageCoders
import WebImageCore
import WebImagePixels

/// Converts the planes that libavif has decoded to a bitmap.
struct AVIFPixels {
    private let image: UnsafeMutablePointer<avifImage>
    private let header: AVIFHeader

    /// - Parameter image: Its planes must stay valid while this value is used.
    init(_ image: UnsafeMutablePointer<avifImage>, _ header: AVIFHeader) {
        self.image = image
        self.header = header
    }

    /// The picture with `geometry`. It is converted directly into the bitmap where no other step is needed, and
    /// otherwise in bands, so that a thumbnail never needs the whole picture as RGBA.
    func bitmap(_ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let area = header.geometry.area
        // At high depth even where colours are not converted: libavif's own reduction to 8 bits is off by more than a
        // level.
        let depth = options.depth(
            bitsPerChannel: header.bitsPerChannel, needsDepth: header.colors != nil || header.iccProfile != nil)
        let source = PixelSource(
            size: area.size, layout: depth == .sixteen ? .rgba16 : .rgba, isOpaque: !header.hasAlpha,
            profile: header.iccProfile.flatMap { ColorProfile(bytes: $0).forPixels(areGray: isGray) },
            colors: header.colors?.forPixels(areGray: isGray))
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        if header.geometry.isWhole, geometry.resultSize == area.size, geometry.orientation == .up {
            return try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
                try Self.convert(image, to: base, bytesPerRow: bytesPerRow, depth)
            }
        }
        let bands = try AVIFBands(image, depth)
        return try assembler.assembleRows(of: area, depth: depth) { y throws(WebImageError) in try bands.row(y) }
    }

    private var isGray: Bool { image.pointee.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 }

    /// Converts all rows to straight RGBA.
    fileprivate static func convert(
        _ image: UnsafePointer<avifImage>, to base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int,
        _ depth: PixelDepth
    ) throws(WebImageError) {
        var pixels = avifRGBImage()
        avifRGBImageSetDefaults(&pixels, image)
        pixels.format = AVIF_RGB_FORMAT_RGBA
        pixels.depth = depth == .sixteen ? 16 : 8
        pixels.pixels = base
        pixels.rowBytes = UInt32(bytesPerRow)
        // Of 12 bits, newer versions than 0.11 give libyuv less than all.
        pixels.avoidLibYUV = image.pointee.depth == 12 ? AVIF_TRUE : AVIF_FALSE
        let result = avifImageYUVToRGB(image, &pixels)
        guard result == AVIF_RESULT_OK else {
            throw .damaged(
                .avif,
                "libavif cannot convert its colours (matrix \(image.pointee.matrixCoefficients)): "
                    + String(cString: avifResultToString(result)))
        }
    }
}

/// The rows of a picture, converted in bands.
private final class AVIFBands {
    private static let height = 64
    /// Rows converted above and below a band, because they contribute to the chroma of its rows. An even number, since
    /// chroma may have half the rows.
    private static let margin = 2

    private let image: UnsafeMutablePointer<avifImage>
    private let view: UnsafeMutablePointer<avifImage>
    private let depth: PixelDepth
    private let pixels: PixelBuffer
    private let bytesPerRow: Int
    private var rows = 0..<0
    /// The picture's row that is first in memory.
    private var firstRow = 0

    init(_ image: UnsafeMutablePointer<avifImage>, _ depth: PixelDepth) throws(WebImageError) {
        let width = Int(image.pointee.width)
        guard let view = avifImageCreateEmpty(),
            let pixels = PixelBuffer(byteCount: width * depth.bytesPerPixel * (Self.height + 2 * Self.margin))
        else { throw .outOfMemory(for: PixelSize(width: width, height: Self.height)) }
        self.image = image
        self.view = view
        self.depth = depth
        self.pixels = pixels
        bytesPerRow = width * depth.bytesPerPixel
    }

    deinit { avifImageDestroy(view) }

    /// Straight RGBA, valid until the next call.
    func row(_ y: Int) throws(WebImageError) -> UnsafePointer<UInt8> {
        if !rows.contains(y) { try convertBand(from: y / Self.height * Self.height) }
        return UnsafePointer(pixels.base + (y - firstRow) * bytesPerRow)
    }

    private func convertBand(from start: Int) throws(WebImageError) {
        let height = Int(image.pointee.height)
        rows = start..<min(start + Self.height, height)
        firstRow = max(0, rows.lowerBound - Self.margin)
        let end = min(rows.upperBound + Self.margin, height)
        var area = avifCropRect(
            x: 0, y: UInt32(firstRow), width: image.pointee.width, height: UInt32(end - firstRow))
        guard avifImageSetViewRect(view, image, &area) == AVIF_RESULT_OK else {
            throw .damaged(.avif, "its rows cannot be looked at")
        }
        try AVIFPixels.convert(view, to: pixels.base, bytesPerRow: bytesPerRow, depth)
    }
}
