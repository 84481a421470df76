import CGtk4
import Dispatch
import WebImage

/// The playback of the animation that a display shows.
final class DisplayPlayback {
    let player: AnimatedImagePlayer
    let image: Image
    let still: StillContent
    /// The time of draws.
    private let now: () -> Duration
    /// Says that the current content has changed.
    private let invalidate: () -> Void
    /// Whether the view loads another picture now.
    var belongsToFormerLoad = false
    /// The index of the frame that was shown last; 0 where the animation is to begin anew.
    private(set) var shownIndex = 0
    /// When the oldest frame was set that was not drawn yet.
    private var waitsForDrawSince: Duration?

    /// - Parameters:
    ///   - now: The time of draws.
    ///   - invalidate: Called when ``StillContent`` shows another frame.
    init(
        _ player: AnimatedImagePlayer, of image: Image, in still: StillContent, now: @escaping () -> Duration,
        invalidate: @escaping () -> Void
    ) {
        self.player = player
        self.image = image
        self.still = still
        self.now = now
        self.invalidate = invalidate
        player.addViewer(ObjectIdentifier(self)) { [weak self] in self?.show($0) }
    }

    isolated deinit { player.removeViewer(ObjectIdentifier(self)) }

    /// The place at which another player of the same animation goes on.
    struct Place {
        let index: Int
        let loopCount: Int
    }

    /// nil for the beginning, and after the last play.
    var place: Place? {
        player.hasEnded ? nil : Place(index: shownIndex, loopCount: player.currentLoopCount)
    }

    /// Whether the frames that were set are not drawn: nothing says so when a window is covered, or its compositor
    /// stops its frames.
    var isUndrawn: Bool { waitsForDrawSince.map { now() - $0 > Self.patience } ?? false }
    private static let patience = Duration.seconds(1)

    /// Whether its frames are shown now.
    private(set) var isShowing = false
    var isPlaying: Bool { isShowing && player.isPlaying }

    /// Called at each draw.
    func noteDraw() { waitsForDrawSince = nil }

    /// Shows the frames from now on, or no more.
    func setPlaying(_ isShown: Bool, _ settings: PlaybackSettings) {
        let id = ObjectIdentifier(self)
        let hasShown = isShowing
        isShowing = isShown
        player.setPlaying(isShown, for: id)
        guard !isShown, hasShown, player.isAlone(id) else { return }
        if settings.resetFrameIndexWhenStopped {
            player.stopPlaying()
            shownIndex = 0
        }
        if settings.clearBufferWhenStopped { player.clearFrameBuffer() }
    }

    private func show(_ frame: Bitmap) {
        MainThreadTime.measure {
            shownIndex = player.currentFrameIndex
            guard frame !== still.bitmap else { return }
            still.show(frame, as: texture(of: frame))
            if waitsForDrawSince == nil { waitsForDrawSince = now() }
            invalidate()
        }
    }

    /// Views in step share a texture, which is uploaded once.
    private func texture(of frame: Bitmap) -> Texture? {
        guard !TileGrid.isNeeded(for: frame.size) else { return nil }
        if let texture = player.madeOfFrame as? Texture { return texture }
        let texture = Texture(frame.displayable, replacing: still.texture)
        player.madeOfFrame = texture
        return texture
    }
}
