/// How fast something is scrolled, as a pure value: takes where it stands in each frame, and says whether that is so fast
/// that nobody can look at what goes by.
///
/// Measured in pages, that is, in what is seen at a time, because it is those that a person looks at.
package struct ScrollSpeed: Sendable {
    /// What a scroller does.
    package enum Motion: Sendable, Hashable {
        /// Nothing has moved for a while.
        case resting
        /// It moves slowly enough to be looked at.
        case slow
        /// What comes into sight is out of it before it could be loaded.
        case fast
    }

    private struct Sample {
        var time: Int64
        let position: Double
    }

    /// Pages per second from which it is fast.
    private let fast: Double
    /// Pages per second below which it is no longer: lower, so that it does not change to and fro.
    private let slow: Double
    private var samples: [Sample] = []

    /// What it does, as far as is known.
    package private(set) var motion = Motion.resting

    /// Microseconds of a frame, more or less.
    private static let frame: Int64 = 16_667
    /// Microseconds that are looked back.
    private static let span: Int64 = 100_000
    /// Microseconds of moving before it can be fast: a jump, as by the page key, is over in one frame.
    private static let leastMoving: Int64 = 45_000

    /// A scroller at rest.
    package init(fast: Double = 2.5, slow: Double = 1.5) {
        self.fast = fast
        self.slow = slow
    }

    /// Notes that at `time`, in microseconds, the scroller stands at `position`, in pages. To be called in each frame as
    /// long as it moves, that is, until it answers that it rests, and once before it does.
    @discardableResult
    package mutating func note(_ position: Double, at time: Int64) -> Motion {
        if let last = samples.last, time < last.time { samples = [] }
        // It has stood there until just now, however long ago that was noted.
        if motion == .resting, !samples.isEmpty { samples[0].time = max(samples[0].time, time - Self.frame) }
        samples.append(Sample(time: time, position: position))
        // The youngest of those that are older stays: from it on, the whole span is known.
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

    /// Microseconds from the first change of place to the last one.
    private var movingTime: Int64 {
        let moves = zip(samples, samples.dropFirst()).filter { $0.0.position != $0.1.position }
        guard let first = moves.first, let last = moves.last else { return 0 }
        return last.1.time - first.0.time
    }
}
