import Testing
import WebImageTesting

@Suite("Manual clock", .timeLimit(.minutes(5)))
struct ManualClockTests {
    @Test("a sleeper wakes when the test has moved the clock far enough, not before")
    func wakes() async throws {
        let clock = ManualClock()
        let sleeper = Task {
            try await clock.sleep(for: .seconds(3))
            return clock.now.offset
        }
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeperCount == 0)
        #expect(try await sleeper.value == .seconds(3))
    }

    @Test("sleepers wake when their deadlines have come, and not before")
    func order() async throws {
        let clock = ManualClock()
        var sleepers: [Task<Void, any Error>] = []
        for (index, seconds) in [3, 1, 2, 1].enumerated() {
            sleepers.append(Task { try await clock.sleep(for: .seconds(seconds)) })
            try await clock.waitForSleepers(index + 1)
        }
        for woken in [[1, 3], [2], [0]] {
            let count = clock.sleeperCount
            clock.advance(by: .seconds(1))
            #expect(clock.sleeperCount == count - woken.count)
            for index in woken { try await sleepers[index].value }
        }
        #expect(clock.now.offset == .seconds(3))
    }

    @Test("a deadline that has passed does not sleep, and the clock never goes back")
    func past() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .init(offset: .seconds(5)))
        clock.advance(to: .init(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(5))
        #expect(clock.measure { clock.advance(by: .milliseconds(7)) } == .milliseconds(7))
    }

    @Test("a cancelled sleeper wakes at once, with an error", arguments: [true, false])
    func cancel(afterFallingAsleep: Bool) async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        if afterFallingAsleep { try await clock.waitForSleepers(1) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }
}
