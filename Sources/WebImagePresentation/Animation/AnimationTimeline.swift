/// One run of an animation on a frame clock: maps time stamps to progress.
///
/// It starts with its first frame, not when it is created, so that a delay in between skips nothing.
package struct AnimationTimeline: Sendable {
    /// Seconds from the first frame to the last.
    package let duration: Double
    /// The curve from time to progress.
    package let timing: TimingFunction

    private var start: Int64?

    /// A run of `duration` seconds; one that is zero, negative or infinite ends on its first frame.
    package init(duration: Double, timing: TimingFunction) {
        self.duration = Self.lasts(duration) ? duration : 0
        self.timing = timing
    }

    /// Whether an animation of this duration is positive and finite.
    package static func lasts(_ duration: Double) -> Bool { duration > 0 && duration.isFinite }

    /// The state of an animation at one frame.
    package struct Frame: Sendable, Equatable {
        /// The curve's progress; 0 to 1 unless the curve overshoots.
        package var progress: Double
        /// Whether this frame shows the end.
        package var isLast: Bool
    }

    /// The frame at `time`, in microseconds of a monotonic clock.
    package mutating func frame(at time: Int64) -> Frame {
        let begin = start ?? time
        start = begin
        let elapsed = max(0, Double(time - begin) / 1_000_000)
        guard elapsed < duration else { return Frame(progress: 1, isLast: true) }
        return Frame(progress: timing.value(at: elapsed / duration), isLast: false)
    }
}
