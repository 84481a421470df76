import FoundationEssentials
import WebImageCore
import WebImagePixels

/// One picture of an icon: a PNG file, or a bitmap without a file header and with a transparency mask.
struct ICOEntry {
    /// The format of the picture.
    enum Content {
        case png(ImageProperties)
        case bitmap(BMPHeader)
    }

    let content: Content
    /// From the beginning of the file.
    let start: Int
    /// The whole file, or its beginning.
    private let data: Data

    /// The range in which the pixels of a PNG file must begin, after profile and texts; icons rarely have either.
    private static let longestHead = 1 << 16

    init(_ data: Data, start: Int) throws(WebImageError) {
        guard start < data.count else { throw .truncated(.ico) }
        self.data = data
        self.start = start
        let head = data[in: start..<data.count]
        if head.starts(with: PNGReader.signature) {
            guard let properties = try PNGCoder().properties(of: head.prefix(Self.longestHead), isComplete: false)
            else {
                throw .truncated(.ico)
            }
            content = .png(properties)
        } else {
            var header = try BMPHeader(data, format: .ico, at: start, pixelOffset: nil)
            header.size.height /= 2
            guard !header.size.isEmpty else { throw .damaged(.ico, "it has a picture without rows") }
            content = .bitmap(header)
        }
    }

    var size: PixelSize {
        switch content {
        case .png(let properties): properties.pixelSize
        case .bitmap(let header): header.size
        }
    }

    /// The bits per pixel, which distinguish pictures of one size.
    var bitsPerPixel: Int {
        switch content {
        case .png(let properties): properties.bitsPerChannel * (properties.hasAlpha ? 4 : 3)
        case .bitmap(let header): header.bitsPerPixel
        }
    }

    /// The picture at the size in `geometry`, reduced if necessary.
    func decode(geometry: ThumbnailGeometry, options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        switch content {
        case .png:
            var options = options
            options.thumbnailPixelSize = geometry.outputSize
            options.preservesAspectRatio = false
            options.scaleDownLimitBytes = nil
            // Some writers store too small a length; a PNG file contains its own end.
            return try PNGCoder().decode(data[in: start..<data.count], options: options).bitmap
        case .bitmap(let header):
            return try ICOBitmap(header, data: data).decode(geometry: geometry, options: options)
        }
    }

    var properties: ImageProperties {
        switch content {
        case .png(var properties):
            properties.format = .ico
            return properties
        case .bitmap(let header):
            var properties = header.properties(of: .ico, in: data)
            properties.hasAlpha = true
            return properties
        }
    }
}
