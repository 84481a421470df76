import Synchronization
import Testing
import WebImagePresentation

@MainActor
@Suite("Context of a transition", .serialized)
struct TransitionContextTests {
    private func context(duration: Duration = .seconds(0.5)) -> TransitionContext {
        TransitionContext(duration: duration, timingFunction: .easeIn, allowsImplicitAnimation: true)
    }

    @Test("S1-2 duration and timing can be read inside the animations, and only there")
    func current() {
        #expect(TransitionContext.current == nil)
        var seen: (Duration, TimingFunction, Bool)?
        context(duration: .seconds(2)).run {
            let current = TransitionContext.current
            seen = current.map { ($0.duration, $0.timingFunction, $0.allowsImplicitAnimation) }
        }
        #expect(TransitionContext.current == nil)
        #expect(seen?.0 == .seconds(2) && seen?.1 == .easeIn && seen?.2 == true)
    }

    @Test("S1-2 a transition that starts within another one's animations gives it its context back")
    func nested() {
        let (outer, inner) = (context(duration: .seconds(1)), context(duration: .seconds(2)))
        var durations: [Duration?] = []
        let note = { durations.append(TransitionContext.current?.duration) }
        outer.run {
            note()
            inner.run(note)
            outer.run(note)
            note()
        }
        note()
        #expect(durations == [.seconds(1), .seconds(2), .seconds(1), .seconds(1), nil])
    }

    @Test("S1-3 all other animations get the progress of each frame")
    func frames() {
        let context = context()
        var story: [String] = []
        context.run {
            TransitionContext.current?.onFrame { story.append("a \($0)") }
            TransitionContext.current?.onFrame { story.append("b \($0)") }
        }
        #expect(story.isEmpty)
        for progress in [0, 0.5, 1.2, 1] { context.advance(to: progress) }
        #expect(story == ["a 0.0", "b 0.0", "a 0.5", "b 0.5", "a 1.2", "b 1.2", "a 1.0", "b 1.0"])
    }

    @Test("a handler that is added after the animations is not called")
    func late() {
        let context = context()
        var kept: TransitionContext?
        var calls = 0
        context.run { kept = TransitionContext.current }
        kept?.onFrame { _ in calls += 1 }
        context.advance(to: 1)
        #expect(calls == 0)
    }

    @Test("a handler that adds itself again does not loop")
    func reentrant() {
        let context = context()
        var calls = 0
        context.run {
            context.onFrame { _ in
                calls += 1
                context.run { context.onFrame { _ in calls += 10 } }
            }
        }
        context.advance(to: 0.5)
        #expect(calls == 1)
        context.advance(to: 1)
        #expect(calls == 12)
    }
}
