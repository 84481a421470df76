/// How well an animation has been played.
public struct PlaybackStatistics: Sendable, Hashable {
    /// Frames shown.
    public var shownCount = 0
    /// Frames shown more than 4 ms after their time.
    public var lateCount = 0
    /// The longest time that a frame was shown after its own.
    public var longestDelay = Duration.zero
    /// Frames whose time had passed before they could be shown: with ``LateFramePolicy/keepClock`` only.
    public var skippedCount = 0
    /// Frames decoded, for all players of the animation.
    public var decodedCount = 0
    /// The time of decoding them.
    public var decodingTime = Duration.zero
    /// The bytes of decoded frames that all players of the animation hold.
    public var bufferedByteCount = 0

    /// No frames.
    public init() {}
}

extension AnimatedImagePlayer {
    /// Counts since the player was made.
    public var statistics: PlaybackStatistics {
        var statistics = PlaybackStatistics()
        (statistics.shownCount, statistics.lateCount, statistics.longestDelay) = shown
        statistics.skippedCount = state.skippedCount
        (statistics.decodedCount, statistics.decodingTime) = pool.work
        statistics.bufferedByteCount = pool.heldByteCount
        return statistics
    }

    /// A frame is shown now.
    func noteShown() {
        let delay = state.rate > 0 ? state.elapsed / state.rate : .zero
        shown.count += 1
        shown.longestDelay = max(shown.longestDelay, delay)
        if delay > .milliseconds(4) { shown.lateCount += 1 }
    }
}
