import Testing
import WebImagePresentation

@Suite("Scroll speed") struct ScrollSpeedTests {
    /// A scroller whose frames the test controls.
    private struct Scroller {
        var speed = ScrollSpeed()
        var position = 0.0
        var time: Int64 = 1_000_000

        /// Scrolls for some frames of a sixtieth of a second, at this many pages per second.
        @discardableResult
        mutating func scroll(_ pages: Double, frames: Int) -> [ScrollSpeed.Motion] {
            (0..<frames).map { _ in
                time += 16_667
                position += pages / 60
                return speed.note(position, at: time)
            }
        }
    }

    @Test("S0-3 a fast list is fast within four frames, one at reading speed is not")
    func fast() {
        var flying = Scroller()
        #expect(flying.scroll(4.4, frames: 5).last == .fast)
        var read = Scroller()
        #expect(!read.scroll(1.2, frames: 60).contains(.fast))
    }

    @Test("S0-3 a jump of a page is not fast: it is over in one frame")
    func jump() {
        var scroller = Scroller()
        scroller.scroll(0, frames: 1)
        scroller.position += 20
        let motions = scroller.scroll(0, frames: 10)
        #expect(!motions.contains(.fast))
        #expect(motions.last == .resting)
    }

    @Test("S0-3 between slow and fast the state does not change")
    func hysteresis() {
        var scroller = Scroller()
        #expect(scroller.scroll(2, frames: 20).last == .slow)
        #expect(scroller.scroll(4, frames: 20).last == .fast)
        #expect(scroller.scroll(2, frames: 20).last == .fast)
        #expect(scroller.scroll(1, frames: 20).last == .slow)
        #expect(scroller.scroll(2, frames: 20).last == .slow)
    }

    @Test("S0-3 a list that stops is no longer fast before it rests, a tenth of a second later")
    func stop() {
        var scroller = Scroller()
        scroller.scroll(3, frames: 30)
        let motions = scroller.scroll(0, frames: 7)
        #expect(motions.first == .fast)
        #expect(motions.contains(.slow))
        #expect(motions.last == .resting)
    }

    @Test("to and fro is as fast as straight on")
    func shaking() {
        var scroller = Scroller()
        for _ in 0..<6 {
            scroller.scroll(5, frames: 3)
            scroller.scroll(-5, frames: 3)
        }
        #expect(scroller.speed.motion == .fast)
    }

    @Test("a frame that takes long does not hide the speed")
    func longFrame() {
        var scroller = Scroller()
        scroller.scroll(5, frames: 6)
        scroller.time += 400_000
        scroller.position += 2
        #expect(scroller.speed.note(scroller.position, at: scroller.time) == .fast)
    }

    @Test("a clock that begins again, as that of another window does, begins the measuring again")
    func clock() {
        var scroller = Scroller()
        scroller.scroll(5, frames: 6)
        scroller.time = 0
        #expect(scroller.scroll(0, frames: 8).last == .resting)
    }
}
