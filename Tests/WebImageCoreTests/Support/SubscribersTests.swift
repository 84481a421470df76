import Testing
import WebImageTesting

@testable import WebImageCore

@Suite("Subscribers of one piece of work")
struct SubscribersTests {
    @Test(
        "the subscribers are those that joined and have not left, in their order, with the highest of their priorities",
        arguments: 0..<20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var subscribers = Subscribers<Int>()
        var expected: [(number: UInt64, name: Int, priority: LoadPriority)] = []
        for name in 0..<300 {
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            switch Int.random(in: 0..<50, using: &random) {
            case 0..<20:
                expected.append((subscribers.add(name, priority: priority), name, priority))
            case 20..<30:
                guard let index = expected.indices.randomElement(using: &random) else { continue }
                expected[index].priority = priority
                subscribers.setPriority(priority, of: expected[index].number)
            case 49:
                #expect(subscribers.removeAll().map(\.priority) == expected.map(\.priority))
                expected = []
            default:
                guard let index = expected.indices.randomElement(using: &random) else { continue }
                let (number, name, _) = expected.remove(at: index)
                #expect(subscribers.number { $0 == name } == number)
                #expect(subscribers.remove(number) == name)
                #expect(subscribers.remove(number) == nil)
                subscribers.setPriority(.high, of: number)
            }
            #expect(subscribers.all == expected.map(\.name))
            #expect(subscribers.count == expected.count)
            #expect(subscribers.priority == expected.map(\.priority).max() ?? .low)
        }
    }
}
