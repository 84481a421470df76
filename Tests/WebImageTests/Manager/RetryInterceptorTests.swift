import FoundationEssentials
import Testing
import WebImageTesting

@testable import WebImage

@Suite("Manager: retries", .timeLimit(.minutes(5)))
struct RetryInterceptorTests {
    private let clock = ManualClock()

    private func bench(attempts: Int) -> ManagerBench {
        let bench = ManagerBench(clock: clock)
        bench.manager.interceptors = [
            RetryInterceptor(attempts: attempts, delay: RetryInterceptor.doubling, clock: clock)
        ]
        return bench
    }

    private static func failure(_ kind: WebImageError.Kind) -> WebImageError {
        WebImageError(.timedOut, stage: .load, kind: kind, reason: "no")
    }

    /// Ends the pause before the next attempt; the other sleeper is the interceptor's timeout.
    private func passPause(_ duration: Duration) async throws {
        try await clock.waitForSleepers(2)
        clock.advance(by: duration)
    }

    @Test("a transient failure is loaded again, each time after twice the pause")
    func transient() async throws {
        let bench = bench(attempts: 3)
        let load = try bench.load()
        for (number, pause) in [(1, 500), (2, 1000)] {
            try await bench.transfer(number).fail(Self.failure(.transient))
            try await passPause(.milliseconds(pause))
        }
        try await bench.transfer(3).finish(ScriptedCoder.file(1, 1))
        #expect(try await load.result().image.pixelSize == .square(1))
    }

    @Test("after the last attempt the failure is delivered; a permanent one is delivered at once")
    func endings() async throws {
        let bench = bench(attempts: 2)
        let load = try bench.load()
        try await bench.transfer().fail(Self.failure(.transient))
        try await passPause(.milliseconds(500))
        try await bench.transfer(2).fail(Self.failure(.transient))
        #expect(try await load.failure().code == .timedOut)
        let hopeless = try bench.load("b.jpg")
        try await bench.transfer(3).fail(Self.failure(.permanent))
        #expect(try await hopeless.failure().kind == .permanent)
        #expect(bench.loader.loads.count == 3)
    }

    @Test("a cancellation ends the pause")
    func cancelled() async throws {
        let bench = bench(attempts: 5)
        let load = try bench.load()
        try await bench.transfer().fail(Self.failure(.transient))
        try await clock.waitForSleepers(2)
        load.cancel()
        #expect(load.failureCode == .cancelled)
        #expect(!bench.manager.isRunning)
    }

    @Test("pauses double from a half second to eight")
    func pauses() {
        #expect(
            (2...8).map(RetryInterceptor.doubling)
                == [500, 1000, 2000, 4000, 8000, 8000, 8000].map { .milliseconds($0) })
    }
}
