import WebImageCore

extension PixelSize {
    static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }
}

extension Image {
    /// A white picture without a file.
    static func plain(_ width: Int, _ height: Int, metadata: ImageMetadata = ImageMetadata()) throws -> Image {
        let size = PixelSize(width: width, height: height)
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4))
        return Image(bitmap: bitmap, metadata: metadata)
    }
}
