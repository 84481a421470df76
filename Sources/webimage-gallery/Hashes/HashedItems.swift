import FoundationEssentials
import WebImage

/// The pictures of the second screen: each with a hash or a colour, as a server sends them with a list.
nonisolated enum HashedItems {
    /// The number of pictures, the last ones of the gallery.
    static let count = 24

    private enum Kind: String, CaseIterable {
        case thumb = "ThumbHash"
        case blur = "BlurHash"
        case color = "Colour"
        case cached = "Cached hash"

        /// The disk cache keeps nothing of files.
        static let ofFiles = [thumb, blur, color]

        func placeholder(for image: Image) -> Image? {
            let size = image.pixelSize
            switch self {
            case .thumb: return (try? ThumbHash(of: image.bitmap)).flatMap { .thumbHash($0.bytes) }
            case .blur:
                let ratio = Double(size.width) / Double(size.height)
                return (try? BlurHash(of: image.bitmap)).flatMap { .blurHash($0.string, aspectRatio: ratio) }
            case .color: return image.averageColor.flatMap { .color($0) }
            case .cached: return .cachedHash
            }
        }
    }

    /// The items of built-in pictures. Decodes them in small; not for the main thread.
    static func items(of pictures: [GalleryOrigin.Picture]) -> [GalleryItem] {
        pictures.enumerated().map { number, picture in
            let kind = kind(number, of: pictures.count, Kind.allCases)
            return item(GalleryItem(url: picture.url, number: number), kind, decoded(picture.sample.data))
        }
    }

    /// The items of the last pictures of sources. Of those on the web, only the disk cache may have a hash; those of phones
    /// and servers have none. Reads and decodes files; blocks.
    static func items(of pictures: [GalleryItem], _ cancellable: Cancellable) -> [GalleryItem] {
        let last = pictures.filter { $0.url.isFileURL || $0.url.isOfWeb }.suffix(count)
        return last.enumerated().map { number, picture in
            var picture = picture
            picture.number = number
            guard picture.url.isFileURL else { return item(picture, .cached, nil) }
            let file = PlaceFile(uri: picture.url.absoluteString, cancellable)
            let image = (try? file.contents(limit: ImageLimits().maximumByteCount)).flatMap(decoded)
            return image.map { item(picture, kind(number, of: last.count, Kind.ofFiles), $0) } ?? picture
        }
    }

    /// A row of each in a window of the usual width.
    private static func kind(_ number: Int, of count: Int, _ kinds: [Kind]) -> Kind {
        kinds[min(number / max(1, count / kinds.count), kinds.count - 1)]
    }

    /// - Parameter image: nil where only the disk cache may have a hash.
    private static func item(_ picture: GalleryItem, _ kind: Kind, _ image: Image?) -> GalleryItem {
        let kind = image == nil ? .cached : kind
        var item = picture
        item.placeholder = image.map { kind.placeholder(for: $0) } ?? .cachedHash
        item.placeholderName = kind.rawValue
        return item
    }

    private static func decoded(_ data: Data) -> Image? {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
        options.decodesFirstFrameOnly = true
        return try? ImageCodersManager.shared.decode(data, options: options)
    }
}
