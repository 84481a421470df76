import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading

@Suite("Loads that wait together")
struct WaitingLoadsTests {
    private static func load() -> LoadOperation {
        LoadOperation(ImageRequest(nil), callbacks: LoadCallbacks(), trace: nil, shared: SharedStages())
    }

    @Test(
        "the waiting loads are those that joined and have not left, in their order, with the highest of their priorities",
        arguments: 0..<20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var waiting = WaitingLoads()
        var expected: [(number: UInt64, load: LoadOperation, priority: LoadPriority)] = []
        for _ in 0..<300 {
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            switch Int.random(in: 0..<5, using: &random) {
            case 0...1:
                let load = Self.load()
                expected.append((waiting.add(load, priority: priority), load, priority))
            case 2:
                guard let index = expected.indices.randomElement(using: &random) else { continue }
                expected[index].priority = priority
                waiting.setPriority(priority, of: expected[index].number)
            default:
                guard let index = expected.indices.randomElement(using: &random) else { continue }
                let (number, load, _) = expected.remove(at: index)
                #expect(waiting.remove(number) === load)
                #expect(waiting.remove(number) == nil)
                waiting.setPriority(.high, of: number)
            }
            #expect(waiting.all.map { ObjectIdentifier($0) } == expected.map { ObjectIdentifier($0.load) })
            #expect(waiting.count == expected.count)
            #expect(waiting.priority == expected.map(\.priority).max() ?? .low)
        }
    }
}
