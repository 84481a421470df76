/// One run of an animation on a frame clock: time stamps go in, progress comes out.
///
/// It starts with the first frame it is shown, not when it is made: the time between is not missed.
package struct AnimationTimeline: Sendable {
    /// Seconds from the first frame to the last.
    package let duration: Double
    /// How progress follows time.
    package let timing: TimingFunction

    private var start: Int64?

    /// A run of `duration` seconds; one of zero or less, or without an end, ends on its first frame.
    package init(duration: Double, timing: TimingFunction) {
        self.duration = Self.lasts(duration) ? duration : 0
        self.timing = timing
    }

    /// Whether something that takes so many seconds has a beginning and an end.
    package static func lasts(_ duration: Double) -> Bool { duration > 0 && duration.isFinite }

    /// How far an animation is at one frame.
    package struct Frame: Sendable, Equatable {
        /// The curve's progress; 0 to 1 unless the curve overshoots.
        package var progress: Double
        /// True from the frame on that shows the end.
        package var isLast: Bool
    }

    /// The frame at `time`, in microseconds of a clock that never runs backwards.
    package mutating func frame(at time: Int64) -> Frame {
        let begin = start ?? time
        start = begin
        let elapsed = max(0, Double(time - begin) / 1_000_000)
        guard elapsed < duration else { return Frame(progress: 1, isLast: true) }
        return Frame(progress: timing.value(at: elapsed / duration), isLast: false)
    }
}
