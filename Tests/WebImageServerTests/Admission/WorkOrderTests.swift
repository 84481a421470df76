import Testing
import WebImageTesting

@testable import WebImageServer

@Suite("Order of work")
struct WorkOrderTests {
    private static func names(_ order: inout WorkOrder<String>, count: Int) -> [String] {
        (0..<count).compactMap { _ in
            guard let next = order.next() else { return nil }
            order.end(isLarge: next.isLarge)
            return next.job
        }
    }

    @Test("small pictures come before large ones that came with them, and equal ones in their order")
    func small() {
        var order = WorkOrder<String>(places: 1)
        order.add("large", cost: 2, now: 0)
        order.add("small", cost: 0.05, now: 1)
        order.add("small too", cost: 0.05, now: 1)
        #expect(Self.names(&order, count: 3) == ["small", "small too", "large"])
    }

    @Test("a large picture comes before small ones that came long after it")
    func patience() {
        var order = WorkOrder<String>(places: 1)
        order.add("large", cost: 2, now: 0)
        order.add("late", cost: 0.05, now: 40)
        #expect(Self.names(&order, count: 2) == ["large", "late"])
    }

    @Test("large pictures leave a place to small ones, also where there is one place", arguments: [1, 2, 4])
    func places(count: Int) {
        var order = WorkOrder<String>(places: count)
        for _ in 0..<8 { order.add("large", cost: 2, now: 0) }
        var running = 0
        while order.next() != nil { running += 1 }
        #expect(running == max(1, count - 1))
        order.add("small", cost: 0.01, now: 1)
        #expect(order.next()?.job == "small")
        #expect(order.waitingCount == 8 - running)
        order.end(isLarge: true)
        #expect(order.next()?.job == "large")
    }

    @Test("no more run than there are places, in random schedules", arguments: 0..<50)
    func schedules(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let places = Int.random(in: 1...4, using: &random)
        var order = WorkOrder<Int>(places: places)
        var running: [Bool] = []
        var (added, taken) = (0, 0)
        for step in 0..<400 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                order.add(step, cost: Bool.random(using: &random) ? 0.01 : 3, now: Double(step))
                added += 1
            case 1:
                if let next = order.next() {
                    running.append(next.isLarge)
                    taken += 1
                }
            default:
                if let place = running.indices.randomElement(using: &random) {
                    order.end(isLarge: running.remove(at: place))
                }
            }
            let (large, small) = (running.count { $0 }, running.count { !$0 })
            #expect(places == 1 ? large <= 1 && small <= 1 : running.count <= places && large < places)
            #expect(order.waitingCount == added - taken)
        }
    }

}
