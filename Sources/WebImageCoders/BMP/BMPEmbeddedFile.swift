import FoundationEssentials
import WebImageCore

/// A JPEG or PNG file in place of a BMP's pixels (`BI_JPEG`, `BI_PNG`).
struct BMPEmbeddedFile {
    private let header: BMPHeader
    private let coder: any ImageCoder
    private let data: Data

    /// nil when the pixels are the BMP's own.
    init?(_ header: BMPHeader, data: Data) throws(WebImageError) {
        switch header.compression {
        case .jpeg: coder = JPEGCoder()
        case .png: coder = PNGCoder()
        default: return nil
        }
        guard header.pixelOffset < data.count else { throw .truncated(.bmp) }
        self.header = header
        self.data = data[in: header.pixelOffset..<data.count]
    }

    /// The picture, with BMP as its format.
    func decode(options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard try coder.properties(of: data, isComplete: true)?.pixelSize == header.size else {
            throw .damaged(.bmp, "the file within is not of the \(header.size) pixels that the header says")
        }
        let image = try coder.decode(data, options: options)
        var metadata = image.metadata
        metadata.format = .bmp
        return Image(bitmap: image.bitmap, scale: image.scale, metadata: metadata, decodeOptions: options)
    }
}
