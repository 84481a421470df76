import WebImage

/// When the frames of an animation are shown.
struct FrameSchedule {
    /// One frame.
    struct Frame: Equatable {
        /// Of the transition, 0 to 1 unless its curve overshoots.
        let progress: Double
        /// Milliseconds from the animation's beginning to the frame's.
        let time: Int
    }

    let frames: [Frame]
    /// Milliseconds from the animation's beginning to its end.
    let end: Int

    /// At least two frames: the beginning and the end.
    ///
    /// - Parameters:
    ///   - duration: Seconds from the one to the other.
    ///   - hold: Seconds that the two stay longer.
    init(duration: Double, framesPerSecond: Int, timing: TimingFunction, hold: Double = 0) {
        let steps = max(1, Int((duration * Double(framesPerSecond)).rounded()))
        func time(_ index: Int) -> Int {
            // Whole milliseconds, which is what the format has, from exact times: their errors do not add up.
            let held = index == 0 ? 0 : hold
            return Int((1000 * (held + Double(index) / Double(framesPerSecond))).rounded())
        }
        frames = (0...steps).map { index in
            Frame(progress: timing.value(at: Double(index) / Double(steps)), time: time(index))
        }
        end = max(time(steps + 1) + Int((1000 * hold).rounded()), time(steps) + 1)
    }
}
