import WebImageCore
import WebImagePixels

/// The players of views: one for all views that play an animation in step.
@MainActor
package enum ViewPlayers {
    private struct Entry {
        weak var player: AnimatedImagePlayer?
    }

    private static var entries: [PlaybackSettings.PlayerKey: Entry] = [:]

    /// A player for a view that shows `image`; nil for a still picture, and for one that is not to be played yet.
    package static func player(
        of image: Image, settings: PlaybackSettings, clock: any AnimationClock
    ) -> AnimatedImagePlayer? {
        let isComplete = !image.metadata.isIncremental
        guard let animation = image.animation, isComplete || settings.shouldIncrementalLoad else { return nil }
        let key = settings.playerKey(of: animation)
        // A partial animation belongs to one load.
        let isShared = settings.isInStep && isComplete
        if isShared, let player = entries[key]?.player { return player }
        let player = AnimatedImagePlayer(
            animation, poster: image.bitmap, isComplete: isComplete, transformer: settings.transformer(of: image),
            clock: clock)
        guard let player else { return nil }
        settings.apply(to: player)
        if isShared {
            entries = entries.filter { $0.value.player != nil }
            entries[key] = Entry(player: player)
        }
        return player
    }
}

extension PlaybackSettings {
    /// The transformer of each frame: views show all frames in sRGB.
    fileprivate func transformer(of image: Image) -> (any ImageTransformer)? {
        guard image.bitmap.colorSpace.differsFromSRGB else { return animationTransformer }
        guard let animationTransformer else { return DisplayConversion() }
        return ImagePipelineTransformer([animationTransformer, DisplayConversion()])
    }
}

/// Brings wide gamut and high dynamic range to sRGB, in the same depth.
private struct DisplayConversion: ImageTransformer {
    let transformerKey = "inSRGB"

    func transform(_ image: Image, for key: CacheKey) -> Image? {
        guard let bitmap = try? image.bitmap.converted(to: image.bitmap.format) else { return nil }
        return Image(bitmap: bitmap, scale: image.scale)
    }
}
