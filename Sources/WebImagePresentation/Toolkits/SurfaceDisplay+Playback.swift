import WebImageCore

/// The playback of animations.
extension SurfaceDisplay {
    /// Plays the animation that is shown, if it can be seen, and releases one that is not shown any more.
    func arrangePlayback() {
        guard let picture, picture.image.animation != nil, surface != nil else { return playback = nil }
        if playback?.image !== picture.image {
            let goesOn = picture.role == .completed
            if !goesOn { wishesPlayback = nil }
            playback = makePlayback(of: picture.image, goesOn: goesOn)
        }
        let wish = wishesPlayback ?? playbackSettings.autoPlayAnimatedImage
        playback?.setPlaying(wish && isSeen && running == nil, playbackSettings)
    }

    func startAnimating() {
        wishesPlayback = true
        arrangePlayback()
        // After its last play, and where the app has paused it.
        if let playback, playback.isShowing { playback.player.startPlaying() }
    }

    func stopAnimating() {
        wishesPlayback = false
        arrangePlayback()
    }

    func settingsHaveChanged() {
        if let playback { self.playback = makePlayback(of: playback.image, goesOn: true) }
        arrangePlayback()
    }

    /// - Parameter goesOn: Whether it is another decode of the animation that is shown, or the same with other settings.
    private func makePlayback(of image: Image, goesOn: Bool) -> SurfacePlayback? {
        let former = playback
        if let former, former.continues(with: image, playbackSettings) {
            return SurfacePlayback(former.player, of: image, by: self)
        }
        guard let player = ViewPlayers.player(of: image, settings: playbackSettings, clock: clock) else { return nil }
        if goesOn, let former, former.player !== player, !former.player.hasEnded {
            player.seekToFrame(at: former.player.currentFrameIndex, loopCount: former.player.currentLoopCount)
        }
        return SurfacePlayback(player, of: image, by: self)
    }

    /// Draws a frame, unless a transition runs.
    func show(_ frame: Bitmap) {
        picture?.bitmap = frame
        if running == nil, !isChanging { surface?.show(SurfaceContent(picture)) }
    }
}

/// The playback of the animation that a display shows.
@MainActor
final class SurfacePlayback {
    let player: AnimatedImagePlayer
    let image: Image
    /// Whether the view loads another picture now.
    var belongsToFormerLoad = false
    private(set) var isShowing = false

    init(_ player: AnimatedImagePlayer, of image: Image, by display: SurfaceDisplay) {
        self.player = player
        self.image = image
        player.addViewer(ObjectIdentifier(self)) { [weak display] in display?.show($0) }
    }

    isolated deinit { player.removeViewer(ObjectIdentifier(self)) }

    func setPlaying(_ plays: Bool, _ settings: PlaybackSettings) {
        let id = ObjectIdentifier(self)
        let stops = isShowing && !plays
        isShowing = plays
        player.setPlaying(plays, for: id)
        guard stops, player.isAlone(id) else { return }
        if settings.resetFrameIndexWhenStopped { player.stopPlaying() }
        if settings.clearBufferWhenStopped { player.clearFrameBuffer() }
    }

    /// Whether the player plays on with an image that has more frames of the same animation.
    func continues(with other: Image, _ settings: PlaybackSettings) -> Bool {
        guard !belongsToFormerLoad, image.metadata.isIncremental, other.metadata.isIncremental,
            settings.shouldIncrementalLoad, let animation = other.animation
        else { return false }
        return player.continuePlaying(with: animation, isComplete: false)
    }
}
