import CHEIF
import CPixels
import WebImageCoders
import WebImageCore
import WebImagePixels

/// A picture that libheif has decoded to RGBA. Belongs to one thread at a time.
final class HEIFPixels {
    private let image: OpaquePointer
    private let depth: PixelDepth

    /// - Parameter image: Released with this object.
    init(_ image: OpaquePointer, _ depth: PixelDepth) {
        self.image = image
        self.depth = depth
    }

    deinit { heif_image_release(image) }

    /// The picture with `geometry`.
    func bitmap(
        _ header: HEIFHeader, _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        var bytesPerRow: Int32 = 0
        let size = header.geometry.storedSize
        guard let base = heif_image_get_plane_readonly(image, heif_channel_interleaved, &bytesPerRow),
            heif_image_get_width(image, heif_channel_interleaved) == Int32(size.width),
            heif_image_get_height(image, heif_channel_interleaved) == Int32(size.height)
        else { throw .damaged(header.format, "its pixels are of another size than its header says") }
        let area = header.geometry.area
        let source = PixelSource(
            size: area.size, layout: depth == .sixteen ? .rgba16 : .rgba, isOpaque: !header.hasAlpha,
            profile: header.profile?.forPixels(areGray: header.isGray),
            colors: header.colors?.forPixels(areGray: header.isGray))
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assembleRows(
            of: area, depth: depth, row: { y in base + y * Int(bytesPerRow) },
            finish: { self.finish($0, pixelCount: $1, isPremultiplied: header.isPremultiplied) })
    }

    private func finish(_ row: UnsafeMutablePointer<UInt8>, pixelCount: Int, isPremultiplied: Bool) {
        guard depth == .sixteen else {
            if isPremultiplied { webimage_unpremultiply(row, pixelCount) }
            return
        }
        let bits = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
        let largest = UInt32(1) << UInt32(min(max(bits, 1), 16)) - 1
        row.withMemoryRebound(to: UInt16.self, capacity: pixelCount * 4) { values in
            for index in 0..<pixelCount * 4 {
                values[index] = UInt16((min(UInt32(values[index]), largest) * 65_535 + largest / 2) / largest)
            }
        }
        if isPremultiplied { webimage_deep_unpremultiply(row, pixelCount) }
    }
}
