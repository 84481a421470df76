import FoundationEssentials
import WebImage

/// The pictures of the page of animations: each animation once, and then again in several ways.
nonisolated enum AnimatedItems {
    /// The number of pictures of sources, the last ones.
    static let count = 24
    /// Formats that may be animated.
    private static let formats = ImageFormat.all(.moving).union([.heic, .heif, .webM, .mp4])

    /// The items of built-in animations.
    static func items(of urls: [URL]) -> [GalleryItem] {
        let plain = urls.map { (url: $0, way: PlaybackWay.inStep(nil)) }
        // Beside each other, so that it can be seen which are in step.
        let several = urls.prefix(1).flatMap { url in PlaybackWay.ofOneURL.map { (url: url, way: $0) } }
        let others = zip(urls.dropFirst(), PlaybackWay.others).map { (url: $0, way: $1) }
        return (plain + several + others).enumerated().map { number, item in
            GalleryItem(url: item.url, number: number, playback: item.way)
        }
    }

    /// The items of the last pictures of sources whose names say that they may be animations.
    static func items(of pictures: [GalleryItem]) -> [GalleryItem] {
        let moving = pictures.filter { ImageFormat(name: $0.plainName).map(formats.contains) ?? false }
        return moving.suffix(count).enumerated().map { number, picture in
            var item = picture
            (item.number, item.playback) = (number, .inStep(nil))
            return item
        }
    }
}
