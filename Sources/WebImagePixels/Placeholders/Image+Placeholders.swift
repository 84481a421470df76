import FoundationEssentials
import WebImageCore

// Images that stand in for a picture while it loads.
//
//     view.setImage(with: url, placeholder: .thumbHash(hash))
extension Image {
    /// The blur of a ``ThumbHash``, for a placeholder: about 32 pixels wide or high, which views enlarge to the place of the
    /// picture. Decodes in some microseconds; any thread.
    ///
    /// - Returns: nil for bytes that are no ThumbHash; ``ThumbHash/init(_:)`` says why.
    public static func thumbHash(_ bytes: Data) -> Image? { (try? ThumbHash(bytes)).flatMap(Image.init(blurOf:)) }

    /// The same of a ``ThumbHash`` in Base64, as servers send it in JSON.
    ///
    /// - Returns: nil for a text that is no ThumbHash; ``ThumbHash/init(base64:)`` says why.
    public static func thumbHash(base64: String) -> Image? {
        (try? ThumbHash(base64: base64)).flatMap(Image.init(blurOf:))
    }

    /// The blur of a ``BlurHash``, for a placeholder. Decodes in some microseconds; any thread.
    ///
    /// - Parameter aspectRatio: The width of the picture, divided by its height: views enlarge the blur to the place of the
    ///   picture. nil, the default, where that is not known: the blur fills the view.
    /// - Returns: nil for a text that is no BlurHash, as ``BlurHash/init(_:)`` says; also for a ratio that is not above 0.
    public static func blurHash(_ text: String, aspectRatio: Double? = nil) -> Image? {
        guard let hash = try? BlurHash(text), let size = PlaceholderSizes.size(aspectRatio: aspectRatio ?? 1),
            let bitmap = try? hash.bitmap(size: size)
        else { return nil }
        return Image(bitmap: bitmap, appearance: aspectRatio == nil ? .backdrop : .blur)
    }

    /// A colour, for a placeholder that fills the view.
    ///
    /// - Returns: nil only when there is no memory.
    public static func color(_ color: RGBAColor) -> Image? {
        let pixel = [color.red, color.green, color.blue, color.alpha]
        let size = PixelSize(width: 1, height: 1)
        return (try? Bitmap(size: size, format: .rgba8Straight, pixels: pixel).converted(to: .rgba8Premultiplied)).map {
            Image(bitmap: $0, appearance: .backdrop)
        }
    }

    /// For a placeholder: the blur of the requested picture itself, where the disk cache has it with its hash
    /// (``ImageCacheConfig/storesThumbHashes``); otherwise nothing.
    ///
    /// The view is empty at first. The hash is read from the beginning of the file in the background, and shows unless the
    /// picture comes first. A picture in memory shows at once, without any of this. By itself the image is one transparent
    /// pixel.
    public static let cachedHash: Image? = {
        let pixel = try? Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        return pixel.map { Image(bitmap: $0, appearance: .cachedHash) }
    }()

    /// The blur of a hash; nil when there is no memory.
    package convenience init?(blurOf hash: ThumbHash) {
        guard let bitmap = try? hash.bitmap() else { return nil }
        self.init(bitmap: bitmap, appearance: .blur)
    }

    /// The image that views draw: nil for one that is yet to be looked for.
    package var drawn: Image? { appearance == .cachedHash ? nil : self }
}
