import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads of views in a scroller of a toolkit of one's own. Rows are 100 points high, and three of them are visible.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ScrollerLoadsTests {
    private let bench = ToolkitBench()
    private let scroller: ScrollerLoads

    init() { scroller = ScrollerLoads(clock: bench.clock) }

    /// Begins the loads of rows, in this order.
    private func rows(
        _ numbers: [Int], columns: Int = 1, _ options: WebImageOptions = []
    ) throws -> [PicturePresenter<ToolkitView>] {
        try numbers.map { number in
            let frame = PointRect(
                x: Double(number % columns) * 100, y: Double(number / columns) * 100, width: 100, height: 100)
            let view = ToolkitView("\(number)", frame: frame)
            let presenter = bench.presenter(of: view, in: scroller)
            views.append(view)
            try bench.load("\(number)", options.union(.fromLoaderOnly), by: presenter)
            return presenter
        }
    }

    private let views = KeptViews()

    private final class KeptViews {
        private var views: [ToolkitView] = []
        func append(_ view: ToolkitView) { views.append(view) }
    }

    private func scroll(to y: Double) { scroller.visibleArea = PointRect(x: 0, y: y, width: 300, height: 300) }

    @Test("no load begins before the layout; then those of visible views do, in reading order")
    func readingOrder() throws {
        let presenters = try rows([4, 2, 8, 0, 6], columns: 3)
        #expect(bench.started.isEmpty)
        scroll(to: 0)
        #expect(bench.started == ["0", "2", "4", "6", "8"])
        withExtendedLifetime(presenters) {}
    }

    @Test("lines are read from the right where the scroller says so")
    func rightToLeft() throws {
        scroller.isRightToLeft = true
        let presenters = try rows([0, 1, 2, 3], columns: 3)
        scroll(to: 0)
        #expect(bench.started == ["2", "1", "0", "3"])
        withExtendedLifetime(presenters) {}
    }

    @Test("the loads of one turn of the main loop begin in reading order after a layout, too")
    func later() throws {
        scroll(to: 0)
        let presenters = try rows([2, 0, 1])
        #expect(bench.started.isEmpty)
        bench.clock.advance(by: .zero)
        #expect(bench.started == ["0", "1", "2"])
        withExtendedLifetime(presenters) {}
    }

    @Test("near views load after visible ones, the nearest first, and far ones wait")
    func near() async throws {
        let presenters = try rows([20, 5, 4, 0])
        scroll(to: 0)
        #expect(bench.started == ["0"])
        presenters[3].cancelCurrentImageLoad()
        bench.clock.advance(by: .zero)
        #expect(bench.started == ["0", "4", "5"])
        scroll(to: 1900)
        #expect(bench.started == ["0", "4", "5", "20"])
    }

    @Test("near views load once the load of a visible one has had a second")
    func patience() throws {
        let presenters = try rows([0, 4])
        scroll(to: 0)
        bench.clock.advance(by: .milliseconds(999))
        #expect(bench.started == ["0"])
        bench.clock.advance(by: .milliseconds(1))
        #expect(bench.started == ["0", "4"])
        withExtendedLifetime(presenters) {}
    }

    @Test("a load far away from what is visible is taken back, and begins again when its view comes near")
    func takenBack() async throws {
        let presenters = try rows([0])
        scroll(to: 0)
        let first = try await bench.manager.transfer()
        scroll(to: 5000)
        try await first.waitForCancellation()
        #expect(presenters[0].isLoading)
        scroll(to: 0)
        _ = try await bench.manager.transfer(2)
    }

    @Test("a load of low priority waits for a fast scroll to end")
    func fastScroll() throws {
        let presenters = try rows([30], .lowPriority)
        scroll(to: 0)
        for step in 1...12 {
            bench.clock.jump(by: .milliseconds(16))
            scroll(to: Double(step) * 250)
        }
        #expect(bench.started.isEmpty)
        bench.clock.advance(by: .seconds(1))
        #expect(bench.started == ["30"])
        withExtendedLifetime(presenters) {}
    }
}
