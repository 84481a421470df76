import Testing
import WebImageTesting

@testable import WebImageLoading

@Suite("The plan of a list's prefetches")
struct ListPrefetchPlanTests {
    private typealias Change = ListPrefetchPlan.Change

    /// - Parameters:
    ///   - ahead: The window ahead in tenths of a screen; most ranges of these tests have ten items.
    private static func plan(
        _ ranges: Range<Int>..., ahead: Double = 4, behind: Double = 0, of count: Int = 100
    ) -> ListPrefetchPlan {
        var plan = ListPrefetchPlan(window: LoadWindow(behind: behind / 10, ahead: ahead / 10))
        for range in ranges { _ = plan.show(range, itemCount: count) }
        return plan
    }

    @Test("a list that has just appeared prefetches ahead, the nearest first, and nothing behind")
    func firstShow() {
        var plan = ListPrefetchPlan(window: LoadWindow(behind: 1, ahead: 0.5))
        #expect(plan.show(10..<20, itemCount: 100) == Change(started: [20, 21, 22, 23, 24]))
        var bottom = ListPrefetchPlan(window: LoadWindow())
        #expect(bottom.show(90..<100, itemCount: 100).started == [])
    }

    @Test("once it has scrolled, what is behind is near, too; at the same distance, what is ahead comes first")
    func behind() {
        var plan = Self.plan(40..<50, ahead: 4, behind: 2)
        #expect(plan.show(42..<52, itemCount: 100).started == [41, 40, 54, 55])
        #expect(plan.near == [40, 41, 52, 53, 54, 55])
    }

    @Test("the whole list is loaded where the app wants that")
    func everything() {
        var plan = ListPrefetchPlan(window: .everything)
        #expect(plan.show(2..<4, itemCount: 8).started == [4, 1, 5, 0, 6, 7])
    }

    @Test("scrolling on prefetches the next items and cancels those behind")
    func forwards() {
        var plan = Self.plan(10..<20)
        #expect(
            plan.show(12..<22, itemCount: 100)
                == Change(started: [24, 25], seen: [20, 21]))
        #expect(plan.show(13..<23, itemCount: 100) == Change(started: [26], seen: [22]))
    }

    @Test("scrolling back prefetches before the range and cancels those after it")
    func backwards() {
        var plan = Self.plan(40..<50, 42..<52)
        let change = plan.show(41..<51, itemCount: 100)
        #expect(change == Change(started: [40, 39, 38, 37], cancelled: [51, 52, 53, 54, 55]))
    }

    @Test("the same range again changes nothing")
    func repeated() {
        var plan = Self.plan(40..<50, 42..<52)
        #expect(plan.show(42..<52, itemCount: 100) == Change())
    }

    @Test("a growing range prefetches in the direction of its growth")
    func growing() {
        var plan = Self.plan(10..<20)
        #expect(plan.show(10..<22, itemCount: 100).started == [24, 25])
        #expect(plan.show(8..<22, itemCount: 100).started == [7, 6, 5, 4, 3])
    }

    @Test("a jump cancels all items left behind")
    func jump() {
        var plan = Self.plan(10..<20, 12..<22)
        let change = plan.show(70..<80, itemCount: 100)
        #expect(change == Change(started: [80, 81, 82, 83], cancelled: [20, 21, 22, 23, 24, 25]))
    }

    @Test("a seen item is given up when it is neither seen nor ahead")
    func seenThenBehind() {
        var plan = Self.plan(10..<20, 12..<22)
        #expect(plan.show(22..<32, itemCount: 100).cancelled == [20, 21])
    }

    @Test("a seen item that is ahead again is prefetched again")
    func seenThenAhead() {
        var plan = Self.plan(0..<10, 8..<18, ahead: 8)
        #expect(plan.seen == Set(10..<18))
        #expect(plan.show(4..<12, itemCount: 100).started == [3, 2, 1, 0])
        plan = Self.plan(20..<30, 22..<32, 24..<32, ahead: 4)
        #expect(plan.seen == [30, 31])
        plan = Self.plan(20..<30, 22..<30, 20..<32, ahead: 4)
        #expect(plan.seen == [30, 31])
        #expect(plan.show(26..<30, itemCount: 100).started.first == 30)
    }

    @Test("an empty range cancels everything, and the next one counts as the first")
    func empty() {
        var plan = Self.plan(10..<20, 12..<22)
        #expect(plan.show(5..<5, itemCount: 100) == Change(cancelled: [20, 21, 22, 23, 24, 25]))
        #expect(plan.show(50..<60, itemCount: 100).started == [60, 61, 62, 63])
        #expect(plan.show(50..<60, itemCount: 0).cancelled == [60, 61, 62, 63])
    }

    @Test("a list that gets longer at its end prefetches the new items")
    func appended() {
        var plan = Self.plan(0..<10, 2..<12, of: 13)
        #expect(plan.near == [12])
        #expect(plan.show(2..<12, itemCount: 30).started == [13, 14, 15])
    }

    @Test("a list that gets shorter cancels its removed items")
    func shortened() {
        var plan = Self.plan(0..<10, 2..<12)
        #expect(plan.show(2..<12, itemCount: 14).cancelled == [14, 15])
        #expect(plan.show(2..<20, itemCount: 10).cancelled == [10, 11, 12, 13])
    }

    @Test("ranges outside the list and negative counts do no harm")
    func nonsense() {
        var plan = ListPrefetchPlan(window: LoadWindow(behind: -.infinity, ahead: .nan))
        #expect(plan.show(0..<10, itemCount: 20) == Change())
        plan = ListPrefetchPlan(window: LoadWindow(behind: 3, ahead: 0.3))
        #expect(plan.show(-20 ..< -10, itemCount: 20) == Change())
        #expect(plan.show(50..<60, itemCount: 20) == Change())
        #expect(plan.show(0..<10, itemCount: -1) == Change())
        #expect(plan.show(15..<60, itemCount: 20).started == [])
    }

    @Test("random scrolling keeps the promises", arguments: 1...200 as ClosedRange<UInt64>)
    func properties(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let window = LoadWindow(
            behind: .random(in: 0...1, using: &random), ahead: .random(in: 0...2, using: &random))
        var plan = ListPrefetchPlan(window: window)
        var model = Model()
        var itemCount = 40
        var start = 0
        for _ in 0..<60 {
            if Int.random(in: 0..<12, using: &random) == 0 { itemCount = Int.random(in: 0...60, using: &random) }
            if Int.random(in: 0..<15, using: &random) == 0 {
                try model.apply(plan.hide(), visible: nil)
            }
            start += Int.random(in: -8...10, using: &random)
            start = min(max(start, -3), 60)
            let range = start..<start + Int.random(in: 0...9, using: &random)
            let visible = range.clamped(to: 0..<itemCount)
            try model.apply(plan.show(range, itemCount: itemCount), visible: visible)
            #expect(model.near == plan.near, "seed \(seed)")
            let most = Double(visible.count) * (window.ahead + window.behind)
            #expect(Double(plan.near.count) <= most, "seed \(seed)")
            #expect(plan.near.isDisjoint(with: visible), "seed \(seed)")
            #expect(plan.near.allSatisfy { (0..<itemCount).contains($0) }, "seed \(seed)")
            let distances = plan.near.map {
                $0 < visible.lowerBound ? visible.lowerBound - $0 : $0 + 1 - visible.upperBound
            }
            let longest = Double(visible.count) * max(window.ahead, window.behind)
            #expect(distances.allSatisfy { $0 >= 1 && Double($0) <= longest }, "seed \(seed)")
        }
        try model.apply(plan.hide(), visible: nil)
        #expect(model.running.isEmpty, "seed \(seed): something goes on for ever")
    }

    /// The running prefetches of a prefetcher that follows the plan.
    private struct Model {
        struct Broken: Error { let promise: String }

        var running: Set<Int> = []
        var near: Set<Int> = []

        mutating func apply(_ change: Change, visible: Range<Int>?) throws {
            for index in change.cancelled {
                guard running.remove(index) != nil else { throw Broken(promise: "\(index) was not under way") }
                near.remove(index)
            }
            for index in change.seen {
                guard near.remove(index) != nil, visible?.contains(index) == true else {
                    throw Broken(promise: "\(index) is not seen")
                }
            }
            for index in change.started {
                guard near.insert(index).inserted else { throw Broken(promise: "\(index) was begun twice") }
                guard visible?.contains(index) == false else { throw Broken(promise: "\(index) is seen") }
                running.insert(index)
            }
            guard let visible else { return }
            let distances = change.started.map {
                $0 < visible.lowerBound ? visible.lowerBound - $0 : $0 + 1 - visible.upperBound
            }
            guard distances == distances.sorted() else { throw Broken(promise: "the nearest are not the first") }
        }
    }
}
