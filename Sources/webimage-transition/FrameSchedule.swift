import WebImage

/// The times of an animation's frames.
struct FrameSchedule {
    /// One frame.
    struct Frame: Equatable {
        /// The transition's progress, 0 to 1 unless its curve overshoots.
        let progress: Double
        /// Milliseconds from the beginning of the animation.
        let time: Int
    }

    let frames: [Frame]
    /// The duration of the animation in milliseconds.
    let end: Int

    /// At least two frames: the beginning and the end.
    ///
    /// - Parameters:
    ///   - duration: Seconds between these two.
    ///   - hold: Additional seconds for each of the two.
    init(duration: Double, framesPerSecond: Int, timing: TimingFunction, hold: Double = 0) {
        let steps = max(1, Int((duration * Double(framesPerSecond)).rounded()))
        func time(_ index: Int) -> Int {
            // The format has whole milliseconds; rounding exact times keeps errors from adding up.
            let held = index == 0 ? 0 : hold
            return Int((1000 * (held + Double(index) / Double(framesPerSecond))).rounded())
        }
        frames = (0...steps).map { index in
            Frame(progress: timing.value(at: Double(index) / Double(steps)), time: time(index))
        }
        end = max(time(steps + 1) + Int((1000 * hold).rounded()), time(steps) + 1)
    }
}
