/// How much of each frame's time may go into handing results to views, so that the rest is left for drawing.
package struct FrameBudget: Sendable {
    /// Nanoseconds from one frame to the next.
    package let frame: UInt64
    /// Nanoseconds of each frame that may be spent.
    package let share: UInt64

    private var frameStart: UInt64 = 0
    private var spent: UInt64 = 0

    /// Four milliseconds of each sixtieth of a second.
    package init(frame: UInt64 = 16_666_667, share: UInt64 = 4_000_000) {
        self.frame = frame
        self.share = share
    }

    /// Nanoseconds to wait before more may be done at `now`; zero when there is budget left.
    package mutating func delay(at now: UInt64) -> UInt64 {
        let elapsed = now &- frameStart
        if elapsed >= frame {
            frameStart = now
            spent = 0
        }
        return spent < share ? 0 : frame - (now &- frameStart)
    }

    /// Notes that work took `duration` nanoseconds.
    package mutating func charge(_ duration: UInt64) { spent += duration }
}
