import WebImage

/// Plays the animation of a page.
final class PagePlayback {
    private let player: AnimatedImagePlayer

    /// - Parameter clock: The time; nil for that of the main queue.
    init?(of image: Image, in still: StillContent, clock: (any AnimationClock)?, changed: @escaping () -> Void) {
        guard let animation = image.animation,
            let player = AnimatedImagePlayer(
                animation, poster: image.bitmap, isComplete: !image.metadata.isIncremental, clock: clock)
        else { return nil }
        self.player = player
        player.frameHandler = { [weak still] _, frame in
            still?.show(frame, as: nil)
            changed()
        }
    }

    isolated deinit { player.stopPlaying() }

    func start() { player.startPlaying() }
    func pause() { player.pausePlaying() }
}
