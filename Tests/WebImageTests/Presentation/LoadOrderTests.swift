import Testing

@testable import WebImage

@Suite("The order of loads, and their window")
struct LoadOrderTests {
    private func standing(_ distance: Double, x: Double = 0, y: Double = 0) -> ViewStanding {
        ViewStanding(distance: distance, corner: PointSize(width: x, height: y))
    }

    @Test("S0-3 visible views come in reading order, then the nearest of the others")
    func order() {
        let views = [
            (id: "far", standing: standing(2)), (id: "right", standing: standing(0, x: 50, y: 10)),
            (id: "below", standing: standing(0, x: 0, y: 60)), (id: "near", standing: standing(-0.5)),
            (id: "left", standing: standing(0, x: 0, y: 10)),
        ]
        #expect(LoadOrder.sort(views) == ["left", "right", "below", "near", "far"])
        #expect(LoadOrder.sort(views, isRightToLeft: true) == ["right", "left", "below", "near", "far"])
        #expect(LoadOrder.sort(views, isReversed: true) == ["below", "right", "left", "near", "far"])
    }

    @Test("near views wait for visible ones, hidden views are never visible, and those outside of the window are far")
    func visibility() {
        #expect(standing(0).visibility(allowsNear: false) == .seen)
        #expect(standing(1).visibility(allowsNear: true) == .near)
        #expect(standing(1).visibility(allowsNear: false) == .far)
        #expect(ViewStanding(isHidden: true).visibility(allowsNear: true) == .near)
        #expect(ViewStanding(distance: 1, isInWindow: false).visibility(allowsNear: true) == .far)
    }

    @Test("the window is ahead in the direction of scrolling, and has nothing behind before the first scroll")
    func window() {
        let window = LoadWindow(behind: 1, ahead: 2)
        #expect(window == LoadWindow())
        for direction in [nil, .forwards, .backwards] as [ScrollDirection?] {
            #expect(window.contains(0, scrolling: direction) && !window.contains(.infinity, scrolling: direction))
            #expect(LoadWindow.everything.contains(-.infinity, scrolling: direction))
        }
        #expect(window.contains(2, scrolling: nil) && !window.contains(2.1, scrolling: nil))
        #expect(!window.contains(-0.1, scrolling: nil))
        #expect(window.contains(-1, scrolling: .forwards) && !window.contains(-1.1, scrolling: .forwards))
        #expect(window.contains(-2, scrolling: .backwards) && !window.contains(1.1, scrolling: .backwards))
    }

    @Test("a window of a negative size or NaN is empty", arguments: [-1, -.infinity, .nan] as [Double])
    func nonsense(size: Double) {
        let window = LoadWindow(behind: size, ahead: size)
        #expect(window == LoadWindow(behind: 0, ahead: 0))
        #expect(window.contains(0, scrolling: .forwards) && !window.contains(0.01, scrolling: .forwards))
    }
}
