import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation

@Suite("The order of loads, and their window")
struct LoadOrderTests {
    private func standing(_ distance: Double, x: Double = 0, y: Double = 0) -> ViewStanding {
        ViewStanding(distance: distance, corner: PointSize(width: x, height: y))
    }

    private func order<ID: Comparable>(_ views: [(id: ID, standing: ViewStanding)], isRightToLeft: Bool = false) -> [ID]
    {
        LoadOrder.sort(views, isRightToLeft: isRightToLeft).map(\.id)
    }

    @Test("S0-3 visible views come in reading order, then the nearest of the others")
    func readingOrder() {
        let views = [
            (id: "far", standing: standing(2)), (id: "right", standing: standing(0, x: 50, y: 10)),
            (id: "below", standing: standing(0, x: 0, y: 60)), (id: "near", standing: standing(-0.5)),
            (id: "left", standing: standing(0, x: 0, y: 10)),
        ]
        #expect(order(views) == ["left", "right", "below", "near", "far"])
        #expect(order(views, isRightToLeft: true) == ["right", "left", "below", "near", "far"])
    }

    @Test("S0-3 what a fast scroll brings into sight comes after what rests, the last first")
    func flight() {
        var views = (0..<4).map { (id: $0, standing: standing(0, y: Double($0))) }
        for index in [0, 2, 3] { views[index].standing.isFlyingForwards = true }
        #expect(order(views) == [1, 3, 2, 0])
    }

    @Test("the cells of a line come in reading order, wherever their pictures are in them")
    func line() {
        let views = [(id: "left", y: 30.0, x: 0.0), (id: "right", y: 10, x: 50)].map {
            (
                id: $0.id,
                standing: ViewStanding(
                    corner: PointSize(width: $0.x, height: $0.y), cellCorner: PointSize(width: $0.x, height: 0))
            )
        }
        #expect(order(views) == ["left", "right"])
    }

    @Test("among equally near views those ahead come first, then reading order, then the order of the calls")
    func ties() {
        func standing(_ distance: Double, x: Double = 0, _ direction: ScrollDirection?) -> ViewStanding {
            var standing = ViewStanding(corner: PointSize(width: x, height: 0))
            standing.move(by: distance, within: LoadWindow(), scrolling: direction)
            return standing
        }
        let views = [
            (id: 1, standing: standing(-1, .forwards)), (id: 2, standing: standing(1, x: 9, .forwards)),
            (id: 4, standing: standing(1, .forwards)), (id: 3, standing: standing(1, .forwards)),
        ]
        #expect(order(views) == [3, 4, 2, 1])
        let backwards = [(id: 1, standing: standing(1, .backwards)), (id: 2, standing: standing(-1, .backwards))]
        #expect(order(backwards) == [2, 1])
        let beforeTheFirstScroll = [(id: 1, standing: standing(-1, nil)), (id: 2, standing: standing(1, nil))]
        #expect(order(beforeTheFirstScroll) == [2, 1])
    }

    @Test("a far view tells how much must be scrolled at least before it is in the window")
    func screensToWindow() {
        var view = ViewStanding()
        view.move(by: 1.5, within: LoadWindow(), scrolling: nil)
        #expect(view.screensToWindow == 0 && view.isInWindow)
        view.move(by: -7, within: LoadWindow(), scrolling: .forwards)
        #expect(view.screensToWindow == 5 && !view.isInWindow)
        view.move(by: .infinity, within: LoadWindow(), scrolling: .forwards)
        #expect(view.screensToWindow == .infinity)
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
