import FoundationEssentials
import WebImage

/// The pictures of the page of animations: each animation once, and then again in several ways.
nonisolated enum AnimatedItems {
    /// The number of pictures of sources, the last ones.
    static let count = 24
    /// What may move.
    private static let formats: Set<ImageFormat> = [
        .gif, .png, .webP, .avif, .heic, .heif, .jpegXL, .webM, .mp4,
    ]

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

/// The way that a view of the page plays its animation.
nonisolated struct PlaybackWay: Sendable {
    /// For the caption; nil for the usual way.
    let name: String?
    let settings: PlaybackSettings

    init(_ name: String?, _ change: (inout PlaybackSettings) -> Void = { _ in }) {
        var settings = PlaybackSettings()
        change(&settings)
        (self.name, self.settings) = (name, settings)
    }

    static func inStep(_ name: String?) -> PlaybackWay { PlaybackWay(name) }

    /// Views of one address: the first ones show the same frame, the last one goes its own way.
    static let ofOneURL = [
        inStep("In step"), inStep("In step"), inStep("In step"),
        PlaybackWay("Free") {
            $0.isInStep = false
            $0.playbackRate = 0.7
        },
    ]

    static let others = [
        PlaybackWay("Bounce") { $0.playbackMode = .bounce },
        PlaybackWay("Reverse") { $0.playbackMode = .reverse },
        PlaybackWay("Three times") { $0.animationRepeatCount = 3 },
        PlaybackWay("Double speed") { $0.playbackRate = 2 },
        PlaybackWay("On a click") { $0.autoPlayAnimatedImage = false },
    ]
}
