import Testing
import WebImageCore
import WebImageTesting

@Suite("Waiting list")
struct WaitingListTests {
    @Test("the most urgent go first, by either order within a priority")
    func order() {
        var list = WaitingList<String>()
        for (name, priority) in [("a", LoadPriority.low), ("b", .high), ("c", .high), ("d", .normal), ("e", .veryHigh)]
        {
            _ = list.append(name, priority: priority)
        }
        #expect(list.popOldest() == "e")
        #expect(list.popOldest() == "b")
        #expect(list.popNewest() == "c")
        #expect(list.popNewest() == "d")
        #expect(list.popOldest() == "a")
        #expect(list.popOldest() == nil)
    }

    @Test("a ticket is invalid once its element has gone, even if another one has its place")
    func staleTicket() {
        var list = WaitingList<String>()
        let first = list.append("first", priority: .normal)
        #expect(list.remove(first) == "first")
        _ = list.append("second", priority: .normal)
        #expect(list.remove(first) == nil)
        list.move(first, to: .high)
        _ = list.append("urgent", priority: .normal)
        #expect(list.popOldest() == "second")
    }

    @Test("random walks end as a plain array does", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = WaitingList<Int>()
        var model: [(element: Int, priority: LoadPriority, ticket: WaitingTicket)] = []
        for element in 0..<400 {
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            let chosen = model.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<5, using: &random), chosen) {
            case (0, let index?):
                let entry = model.remove(at: index)
                #expect(list.remove(entry.ticket) == entry.element)
            case (1, let index?) where model[index].priority != priority:
                var entry = model.remove(at: index)
                entry.priority = priority
                model.append(entry)
                list.move(entry.ticket, to: priority)
            case (2, _):
                let highest = model.map(\.priority).max()
                let index = model.lastIndex { $0.priority == highest }
                #expect(list.popNewest() == index.map { model.remove(at: $0).element })
            case (3, _):
                let highest = model.map(\.priority).max()
                let index = model.firstIndex { $0.priority == highest }
                #expect(list.popOldest() == index.map { model.remove(at: $0).element })
            default:
                model.append((element, priority, list.append(element, priority: priority)))
            }
        }
    }
}
