import Testing

@testable import WebImage

@Suite("Held loads") struct HeldLoadsTests {
    @Test("S0-3 visible loads come first, from the top; then the rest, the nearest first")
    func order() {
        var held = HeldLoads<Int>()
        for id in 1...6 { held.hold(id) }
        let released = held.release { (4..<6).contains($0) }
        #expect(released == [4, 5, 6, 3, 2, 1])
        #expect(held.isEmpty)
    }

    @Test("a removed load is not released, and only its first removal counts")
    func removal() {
        var held = HeldLoads<Int>()
        held.hold(1)
        held.hold(2)
        let (first, second) = (held.remove(1), held.remove(1))
        #expect(first && !second)
        let released = held.release { _ in true }
        #expect(released == [2])
    }

    @Test("a load that waits again takes a new place")
    func again() {
        var held = HeldLoads<Int>()
        held.hold(1)
        held.hold(2)
        held.hold(1)
        let released = held.release { _ in true }
        #expect(released == [2, 1])
    }
}
