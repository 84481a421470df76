import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: retries", .timeLimit(.minutes(5)))
struct RetryInterceptorTests {
    private let clock = ManualClock()

    private func bench(
        attempts: Int, timeLimit: Duration = .seconds(45), network: (any NetworkMonitor)? = nil
    ) -> ManagerBench {
        let bench = ManagerBench(clock: clock)
        bench.manager.interceptors = [
            RetryInterceptor(
                attempts: attempts, timeLimit: timeLimit, network: network, delay: RetryInterceptor.doubling,
                clock: clock)
        ]
        return bench
    }

    /// An answer that asks to come back later.
    private static func busy(_ retryAfter: String) -> WebImageError {
        var error = WebImageError(
            .invalidDownloadStatusCode, stage: .load, kind: .transient, reason: "busy", statusCode: 503)
        error.response = HTTPResponse(
            url: URL(filePath: "/"), statusCode: 503,
            headers: ["retry-after": retryAfter, "date": "Wed, 21 Oct 2015 07:28:00 GMT"])
        return error
    }

    private static func failure(
        _ kind: WebImageError.Kind, _ code: WebImageError.Code = .timedOut
    ) -> WebImageError {
        WebImageError(code, stage: .load, kind: kind, reason: "no")
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

    @Test(
        "a text in the picture's place, as from a network that asks to log in, is loaded again",
        arguments: ["<!DOCTYPE html><title>Log in", "{\"error\": 1}", "<Error/>", "Service temporarily unavailable"])
    func notices(body: String) async throws {
        let bench = ManagerBench(coder: ImageCodersManager.shared, clock: clock)
        bench.manager.interceptors = [
            RetryInterceptor(attempts: 2, network: nil, delay: RetryInterceptor.doubling, clock: clock)
        ]
        let load = try bench.load()
        try await bench.transfer().finish(Data(body.utf8))
        try await passPause(.milliseconds(500))
        try await bench.transfer(2).finish(Data(body.utf8))
        let error = try await load.failure()
        #expect(error.code == .badImageData)
        #expect(error.kind == .transient)
        let later = try bench.load()
        try await bench.transfer(3).finish(try Fixtures.data("animated.gif"))
        #expect(try await later.result().image.metadata.format == .gif)
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

    @Test(
        "a server that says when to come back is not asked earlier",
        arguments: ["3", " 3 ", "Wed, 21 Oct 2015 07:28:03 GMT"])
    func retryAfter(value: String) async throws {
        let bench = bench(attempts: 2)
        let load = try bench.load()
        try await bench.transfer().fail(Self.busy(value))
        try await passPause(.milliseconds(2900))
        #expect(bench.loader.loads.count == 1)
        clock.advance(by: .milliseconds(100))
        try await bench.transfer(2).finish(ScriptedCoder.file(1, 1))
        #expect(try await load.result().image.pixelSize == .square(1))
    }

    @Test(
        "a time that is over, or none, leaves the usual pause",
        arguments: ["0", "Wed, 21 Oct 2015 07:27:00 GMT", "soon", ""])
    func uselessRetryAfter(value: String) async throws {
        let bench = bench(attempts: 2)
        _ = try bench.load()
        try await bench.transfer().fail(Self.busy(value))
        try await passPause(.milliseconds(500))
        try await bench.transfer(2).fail(Self.failure(.permanent))
    }

    @Test("a server that asks for more time than there is gets no second request")
    func tooLate() async throws {
        let bench = bench(attempts: 5, timeLimit: .seconds(10))
        let load = try bench.load()
        try await bench.transfer().fail(Self.busy("11"))
        #expect(try await load.failure().statusCode == 503)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("no attempt begins after the limit of time")
    func timeLimit() async throws {
        let bench = bench(attempts: 100, timeLimit: .seconds(1))
        let load = try bench.load()
        try await bench.transfer().fail(Self.failure(.transient))
        try await passPause(.milliseconds(500))
        // The next pause of a second would end after it.
        try await bench.transfer(2).fail(Self.failure(.transient))
        #expect(try await load.failure().code == .timedOut)
    }

    @Test("without a network the load waits for it, begins at once when it is back, and loses no attempt by that")
    func networkReturns() async throws {
        let network = ScriptedNetwork()
        let bench = bench(attempts: 2, network: network)
        let load = try bench.load()
        network.goAway()
        try await bench.transfer().fail(Self.failure(.transient, .cannotFindHost))
        try await network.waitForWaiters(1)
        network.comeBack()
        try await bench.transfer(2).fail(Self.failure(.transient, .cannotFindHost))
        // The network is there: now it is a pause, which a change of the network ends as well.
        try await network.waitForWaiters(2)
        network.comeBack()
        try await bench.transfer(3).fail(Self.failure(.transient, .cannotFindHost))
        #expect(try await load.failure().code == .cannotFindHost)
        #expect(clock.now.offset == .zero)
    }

    @Test("a network that does not come back ends the load after the limit of time")
    func networkStaysAway() async throws {
        let network = ScriptedNetwork()
        network.goAway()
        let bench = bench(attempts: 2, timeLimit: .seconds(20), network: network)
        let load = try bench.load()
        try await bench.transfer().fail(Self.failure(.transient, .cannotConnect))
        try await network.waitForWaiters(1)
        try await passPause(.seconds(20))
        #expect(try await load.failure().code == .cannotConnect)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("a status is not the network's fault")
    func statusWithoutNetwork() async throws {
        let network = ScriptedNetwork()
        network.goAway()
        let bench = bench(attempts: 2, network: network)
        _ = try bench.load()
        try await bench.transfer().fail(Self.busy("1"))
        try await passPause(.seconds(1))
        try await bench.transfer(2).fail(Self.failure(.permanent))
        #expect(network.waiterCount == 0)
    }

    @Test("DL-32 a URL that has failed for good is loaded again after its time")
    func failedURLTimeToLive() async throws {
        let bench = ManagerBench(clock: clock)
        #expect(bench.manager.failedURLTimeToLive == .seconds(600))
        let url = try ManagerBench.url("a.jpg")
        let bad = try bench.load("a.jpg")
        try await bench.transfer().finish(Data("<html>".utf8))
        #expect(try await bad.failure().code == .badImageData)
        clock.advance(by: .seconds(599))
        #expect(try await bench.load("a.jpg").failure().code == .blockedURL)
        clock.advance(by: .seconds(1))
        let again = try bench.load("a.jpg")
        try await bench.transfer(2).finish(Data("<html>".utf8))
        #expect(try await again.failure().code == .badImageData)
        bench.manager.failedURLTimeToLive = nil
        clock.advance(by: .seconds(1_000_000))
        #expect(try await bench.load("a.jpg").failure().code == .blockedURL)
        bench.manager.removeFailedURL(url)
        _ = try bench.load("a.jpg")
        _ = try await bench.transfer(3)
    }

    @Test("the default pause is a random part of the doubled one")
    func jitter() {
        for attempt in 2...8 {
            let pauses = (0..<200).map { _ in RetryInterceptor.jittered(attempt) }
            let limit = RetryInterceptor.doubling(attempt)
            #expect(pauses.allSatisfy { $0 >= .zero && $0 <= limit })
            #expect(pauses.contains { $0 < limit / 3 } && pauses.contains { $0 > limit * 2 / 3 })
        }
    }

    @Test("pauses double from a half second to eight")
    func pauses() {
        #expect(
            (2...8).map(RetryInterceptor.doubling)
                == [500, 1000, 2000, 4000, 8000, 8000, 8000].map { .milliseconds($0) })
    }
}
