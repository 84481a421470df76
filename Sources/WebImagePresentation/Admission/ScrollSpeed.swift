/// The speed of scrolling as a pure value: takes the position in each frame, and decides whether it is too fast for
/// pictures to be seen.
///
/// Measured in pages, that is, in visible lengths.
package struct ScrollSpeed: Sendable {
    /// The state of a scroller.
    package enum Motion: Sendable, Hashable {
        /// Nothing has moved for a while.
        case resting
        /// It moves slowly enough to be looked at.
        case slow
        /// It moves so fast that content is out of sight before it can be loaded.
        case fast
    }

    private struct Sample {
        var time: Int64
        let position: Double
    }

    /// The speed from which it counts as fast, in pages per second.
    private let fast: Double
    /// The speed below which it counts as slow again, in pages per second: lower, so that the state does not flicker.
    private let slow: Double
    private var samples: [Sample] = []

    /// The current state.
    package private(set) var motion = Motion.resting

    /// Roughly the microseconds of a frame.
    private static let frame: Int64 = 16_667
    /// The time window of the measurement in microseconds.
    private static let span: Int64 = 100_000
    /// The minimum microseconds of movement for fast: a jump, as by the page key, takes one frame.
    private static let leastMoving: Int64 = 45_000

    /// A scroller at rest.
    package init(fast: Double = 2.5, slow: Double = 1.5) {
        self.fast = fast
        self.slow = slow
    }

    /// Records that the scroller is at `position`, in pages, at `time`, in microseconds. Call it in each frame while it
    /// moves, that is, until it returns `resting`, and once before it moves.
    @discardableResult
    package mutating func note(_ position: Double, at time: Int64) -> Motion {
        if let last = samples.last, time < last.time { samples = [] }
        // It has rested until just now, however long ago that was recorded.
        if motion == .resting, !samples.isEmpty { samples[0].time = max(samples[0].time, time - Self.frame) }
        samples.append(Sample(time: time, position: position))
        // Keeps the youngest sample before the time window, so that the whole window is covered.
        while samples.count > 2, time - samples[1].time >= Self.span { samples.removeFirst() }
        motion = currentMotion
        if motion == .resting { samples = [Sample(time: time, position: position)] }
        return motion
    }

    private var currentMotion: Motion {
        guard let first = samples.first, let last = samples.last else { return .resting }
        let duration = last.time - first.time
        let way = zip(samples, samples.dropFirst()).reduce(0) { $0 + abs($1.1.position - $1.0.position) }
        if way == 0 { return duration >= Self.span ? .resting : motion }
        guard movingTime >= Self.leastMoving else { return motion == .fast ? .fast : .slow }
        let speed = way * 1_000_000 / Double(duration)
        return speed > (motion == .fast ? slow : fast) ? .fast : .slow
    }

    /// The microseconds from the first to the last change of position.
    private var movingTime: Int64 {
        let moves = zip(samples, samples.dropFirst()).filter { $0.0.position != $0.1.position }
        guard let first = moves.first, let last = moves.last else { return 0 }
        return last.1.time - first.0.time
    }
}
