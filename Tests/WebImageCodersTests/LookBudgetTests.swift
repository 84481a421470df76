import Testing
import WebImageCore

@testable import WebImageCoders

@Suite("The time for partial pictures")
struct LookBudgetTests {
    /// A clock that the test moves. One thread.
    private final class Clock {
        var time = 0.0
    }

    private static func work(_ seconds: Double, on clock: Clock) -> () throws(WebImageError) -> Void {
        { clock.time += seconds }
    }

    @Test("the first partial picture is always made, however long it takes")
    func first() throws {
        let clock = Clock()
        var budget = LookBudget { clock.time }
        #expect(budget.allowsLook)
        try budget.look(Self.work(3, on: clock))
        #expect(!budget.allowsLook)
    }

    @Test("partial pictures take a fifth of the time of reading at most", arguments: [0.01, 0.5, 1.9, 4])
    func share(cost: Double) throws {
        let clock = Clock()
        var budget = LookBudget { clock.time }
        var lookingTime = 0.0
        var looks = 0
        for _ in 0..<100 {
            try budget.read(Self.work(1, on: clock))
            guard budget.allowsLook else { continue }
            looks += 1
            lookingTime += cost
            try budget.look(Self.work(cost, on: clock))
        }
        #expect(lookingTime <= 20 + 1e-9)
        #expect(lookingTime > 20 - 2 * cost || looks == 100)
    }

    @Test("the time of failed work counts too")
    func failure() throws {
        let clock = Clock()
        var budget = LookBudget { clock.time }
        try budget.look(Self.work(1, on: clock))
        #expect(throws: WebImageError.self) {
            try budget.read { () throws(WebImageError) in
                clock.time += 100
                throw .cancelled()
            }
        }
        #expect(budget.allowsLook)
    }
}
