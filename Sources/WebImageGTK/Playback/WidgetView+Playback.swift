import WebImage

extension WidgetView {
    /// The way the view plays its animations. By default they play while they can be seen: in a mapped window that is not
    /// minimised, within the visible part of all scrollers around the view, and where the desktop allows animations.
    ///
    /// ```swift
    /// view.playback.autoPlayAnimatedImage = false  // the first frame, until startAnimating()
    /// ```
    public var playback: PlaybackSettings {
        get { display?.playbackSettings ?? PlaybackSettings() }
        nonmutating set { display?.playbackSettings = newValue }
    }

    /// The player of the animation that the view shows; nil for a still picture. With ``PlaybackSettings/isInStep`` it may
    /// be that of other views, too: what is set on it applies to them.
    public var player: AnimatedImagePlayer? { display?.playback?.player }

    /// Whether the view plays its animation now.
    public var isAnimating: Bool { display?.isPlaying ?? false }

    /// Plays the animation whenever it can be seen, until ``stopAnimating()`` or another picture, even where the settings
    /// or the desktop do not let it play by itself. Without effect on a still picture.
    public func startAnimating() { display?.startAnimating() }

    /// Stops the animation until ``startAnimating()`` or another picture. The current frame stays.
    public func stopAnimating() { display?.stopAnimating() }
}
