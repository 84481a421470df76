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

        func placeholder(for image: Image?) -> Image? {
            guard let image else { return .cachedHash }
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
        items(pictures.map(\.url)) { decoded(pictures[$0].sample.data) }
    }

    /// The items of pictures that nothing is known of but what the disk cache has.
    static func items(of urls: [URL]) -> [GalleryItem] { items(urls) { _ in nil } }

    private static func items(_ urls: [URL], _ image: (Int) -> Image?) -> [GalleryItem] {
        urls.enumerated().map { number, url in
            let image = image(number)
            // A row of each in a window of the usual width.
            let rowLength = max(1, urls.count / Kind.allCases.count)
            let kind = image == nil ? .cached : Kind.allCases[min(number / rowLength, Kind.allCases.count - 1)]
            return GalleryItem(
                url: url, number: number, placeholder: kind.placeholder(for: image), placeholderName: kind.rawValue)
        }
    }

    private static func decoded(_ data: Data) -> Image? {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
        options.decodesFirstFrameOnly = true
        return try? ImageCodersManager.shared.decode(data, options: options)
    }
}
