import CGtk4
import Dispatch
import WebImage

/// The playback of animations.
extension PaintableDisplay {
    /// The app's wish since the picture was set.
    enum PlaybackWish {
        case none, start, stop
    }

    /// Plays the animation that is shown, if it can be seen, and stops one that is not shown any more.
    func arrangePlayback() {
        guard isAlive, let shown, let still = shown.still, let image = still.image, image.animation != nil else {
            playback?.setPlaying(false, playbackSettings)
            playback = nil
            playbackWatch = nil
            return
        }
        if playback?.image !== image || playback?.still !== still {
            playback = makePlayback(of: image, in: still)
        }
        guard let playback else { return }
        playback.setPlaying(wantsPlayback && canBePlayed, playbackSettings)
        // A handler of the app's may have destroyed the widget.
        if isAlive { watchPlayback() }
    }

    /// Called during each draw, which is when it is certain that a view can be seen.
    func notePlaybackDraw() {
        guard let playback else { return }
        playback.noteDraw()
        // A draw must not begin another one.
        if !playback.isShowing {
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.arrangePlayback() } }
        }
    }

    func startAnimating() {
        leaveEnd()
        playbackWish = .start
        arrangePlayback()
        // After its last play, and where the app has paused the player, it is shown but does not play.
        if let playback, playback.isShowing { playback.player.startPlaying() }
    }

    func stopAnimating() {
        playbackWish = .stop
        arrangePlayback()
    }

    /// The settings have changed.
    func applyPlaybackSettings(insteadOf former: PlaybackSettings) {
        guard let playback else { return arrangePlayback() }
        let needsAnother =
            playbackSettings.isInStep || former.isInStep
            || former.animationTransformer?.transformerKey != playbackSettings.animationTransformer?.transformerKey
            || former.shouldIncrementalLoad != playbackSettings.shouldIncrementalLoad
        if needsAnother {
            self.playback = makePlayback(of: playback.image, in: playback.still)
        } else {
            playbackSettings.apply(to: playback.player)
        }
        arrangePlayback()
    }

    /// The animation begins anew when it plays again.
    func leaveEnd() {
        guard staysAtEnd else { return }
        staysAtEnd = false
        // One of several views in step may have started it.
        if let player = playback?.player, !player.isPlaying { player.stopPlaying() }
    }

    private var wantsPlayback: Bool {
        guard !staysAtEnd else { return false }
        return switch playbackWish {
        case .none: playbackSettings.autoPlayAnimatedImage && target.widget.allowsAnimations
        case .start: true
        case .stop: false
        }
    }

    /// Whether frames would be visible, as far as the toolkit says.
    private var canBePlayed: Bool {
        guard running == nil, showsOwnPaintable, target.isMapped, !target.widget.isMinimized,
            gtk_widget_get_opacity(target.widget) > 0, !CoveredPart.contains(target.widget),
            playback?.isUndrawn != true
        else { return false }
        return visibleArea.map { !$0.part.size.isEmpty } ?? true
    }

    private func makePlayback(of image: Image, in still: StillContent) -> DisplayPlayback? {
        let former = playback
        guard let player = adoptedPlayer(for: image) ?? newPlayer(for: image) else { return nil }
        let playback = DisplayPlayback(player, of: image, in: still, now: drawTime) { [weak self] in
            self?.frameHasChanged()
        }
        // A picture that replaces a partial or a smaller one shows the same frame.
        let shownPlayer = former?.still === still ? former?.player : player
        if let frame = shownPlayer?.currentFrame, frame !== image.bitmap { still.show(frame, as: nil) }
        return playback
    }

    /// The player of the same animation, of which more may have arrived.
    private func adoptedPlayer(for image: Image) -> AnimatedImagePlayer? {
        guard let playback else { return nil }
        // The same picture was set again.
        if playback.image === image, playback.still !== shown?.still { return playback.player }
        guard playback.image.metadata.isIncremental, image.metadata.isIncremental,
            playbackSettings.shouldIncrementalLoad, let animation = image.animation, !playback.belongsToFormerLoad,
            playback.player.continuePlaying(with: animation, isComplete: false)
        else { return nil }
        return playback.player
    }

    private func newPlayer(for image: Image) -> AnimatedImagePlayer? {
        let player = ViewPlayers.player(of: image, settings: playbackSettings, clock: playbackClock)
        if let player, !player.isPlaying { goOn(with: player) }
        placeToGoOn = nil
        return player
    }

    /// Another decode of the same picture, for a larger view, other settings, or after it was released.
    private func goOn(with player: AnimatedImagePlayer) {
        guard let playback else {
            if let place = placeToGoOn { player.seekToFrame(at: place.index, loopCount: place.loopCount) }
            return
        }
        guard playback.still === shown?.still else { return }
        if playback.player.hasEnded {
            // An animation that was hidden plays anew when it is seen again.
            guard playback.isShowing else { return }
            staysAtEnd = true
        }
        player.seekToFrame(at: playback.shownIndex, loopCount: playback.player.currentLoopCount)
    }

    private func frameHasChanged() {
        if let still = shown?.still, appearances.seen != ViewAppearance(), running == nil {
            // A picture with an appearance is drawn from a copy.
            put(.picture(still))
        } else if playback?.still === shown?.still {
            // Another picture may have come meanwhile, such as a placeholder, and a still one never changes.
            shown?.handle.invalidateContents()
        }
        if !canBePlayed { arrangePlayback() }
    }

    private func watchPlayback() {
        guard playbackWatch == nil, target.isMapped else { return }
        playbackWatch = PlaybackWatch(target.widget) { [weak self] in self?.arrangePlaybackSoon() }
    }

    /// Scrollers move their contents in the next layout only.
    private func arrangePlaybackSoon() {
        arrangePlayback()
        guard isAlive else { return }
        WindowLoads.around(target.widget)?.nextLook { [weak self] in self?.arrangePlayback() }
    }
}
