import WebImageCore

/// The way a view plays its animations.
///
/// ```swift
/// view.playback.playbackRate = 2
/// view.playback.autoPlayAnimatedImage = false
/// ```
public struct PlaybackSettings: Sendable {
    /// Whether an animation plays as soon as it can be seen, and stops while it cannot; true by default. Otherwise it
    /// plays after a call only, and its first frame shows until then.
    public var autoPlayAnimatedImage = true
    /// The number of plays; nil, the default, for that of the animation, and 0 for endless.
    public var animationRepeatCount: Int?
    /// See ``AnimatedImagePlayer/playbackRate``.
    public var playbackRate = 1.0
    /// See ``AnimatedImagePlayer/playbackMode``.
    public var playbackMode = AnimatedImagePlaybackMode.normal
    /// See ``AnimatedImagePlayer/lateFramePolicy``; ``LateFramePolicy/keepClock`` by default.
    public var lateFramePolicy = LateFramePolicy.keepClock
    /// See ``AnimatedImagePlayer/maxBufferSize``.
    public var maxBufferSize = 0
    /// Whether an animation plays as far as it has arrived, while it is loaded progressively; true by default. Otherwise
    /// its first frame shows until then.
    public var shouldIncrementalLoad = true
    /// Whether the decoded frames are dropped when the animation stops; false by default.
    public var clearBufferWhenStopped = false
    /// Whether the animation begins anew when it starts again; false by default.
    public var resetFrameIndexWhenStopped = false
    /// Applied to each frame, on other threads; nil, the default, for none. An app's own transformer must give pictures of
    /// one size.
    public var animationTransformer: (any ImageTransformer)?
    /// Whether views that show the same animation with the same settings show the same frame; true by default.
    public var isInStep = true

    /// The defaults of views.
    public init() {}
}

extension PlaybackSettings {
    /// The values that a player depends on: players of one animation with equal values are interchangeable.
    struct PlayerKey: Hashable {
        let provider: ObjectIdentifier
        let repeatCount: Int?
        let rate: Double
        let mode: AnimatedImagePlaybackMode
        let policy: LateFramePolicy
        let maxBufferSize: Int
        let transformerKey: String?
    }

    func playerKey(of provider: any AnimatedImageProvider) -> PlayerKey {
        PlayerKey(
            provider: ObjectIdentifier(provider), repeatCount: animationRepeatCount, rate: playbackRate,
            mode: playbackMode, policy: lateFramePolicy, maxBufferSize: maxBufferSize,
            transformerKey: animationTransformer?.transformerKey)
    }

    /// Sets what a running player can change.
    @MainActor
    package func apply(to player: AnimatedImagePlayer) {
        player.totalLoopCount = animationRepeatCount ?? player.pool.provider.loopCount
        player.playbackRate = playbackRate
        player.playbackMode = playbackMode
        player.lateFramePolicy = lateFramePolicy
        player.maxBufferSize = maxBufferSize
    }
}
