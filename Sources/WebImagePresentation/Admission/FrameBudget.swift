/// The share of each frame's time for delivering results to views; the rest is left for drawing.
package struct FrameBudget: Sendable {
    /// Nanoseconds from one frame to the next.
    package let frame: UInt64
    /// The maximum nanoseconds per frame.
    package let share: UInt64

    private var frameStart: UInt64 = 0
    private var spent: UInt64 = 0

    /// Four milliseconds per sixtieth of a second.
    package init(frame: UInt64 = 16_666_667, share: UInt64 = 4_000_000) {
        self.frame = frame
        self.share = share
    }

    /// The nanoseconds to wait at `now` for more budget; zero when there is budget left.
    package mutating func delay(at now: UInt64) -> UInt64 {
        let elapsed = now &- frameStart
        if elapsed >= frame {
            frameStart = now
            spent = 0
        }
        return spent < share ? 0 : frame - (now &- frameStart)
    }

    /// Records work of `duration` nanoseconds.
    package mutating func charge(_ duration: UInt64) { spent += duration }
}
