import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Limits that a downloader sets itself", .timeLimit(.minutes(5)))
struct PolitenessTests {
    @Test("starts are limited by a bucket of tokens")
    func tokens() {
        let start = SuspendingClock.now
        var limiter = StartLimiter(.init(perSecond: 10, burst: 3), now: start)
        let atOnce = (0..<5).map { _ in limiter.take(at: start) }
        #expect(atOnce == [true, true, true, false, false])
        #expect(limiter.timeToToken(at: start) == .milliseconds(100))
        let (early, due) = (limiter.take(at: start + .milliseconds(99)), limiter.take(at: start + .milliseconds(101)))
        #expect(!early && due)
        // Tokens that are not used are kept, up to the burst.
        #expect(limiter.timeToToken(at: start + .seconds(60)) == nil)
        let later = (0..<4).map { _ in limiter.take(at: start + .seconds(60)) }
        #expect(later == [true, true, true, false])
        var unlimited = StartLimiter(nil, now: start)
        let all = (0..<1000).map { _ in unlimited.take(at: start) }
        #expect(!all.contains(false))
        #expect(unlimited.timeToToken(at: start) == nil)
    }

    @Test("loads that wait for a token begin when it is there")
    func startLimit() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("x") }
        let downloader = WebImageDownloader.direct { $0.startLimit = .init(perSecond: 50, burst: 2) }
        let clock = ContinuousClock()
        let start = clock.now
        let loads = (0..<12).map { RecordedLoad(origin.url("/\($0)"), by: downloader) }
        for load in loads { _ = try await load.response }
        #expect(start.duration(to: clock.now) >= .milliseconds(190))
    }

    @Test("transfers keep to the limit of bytes, one after the other, and none is called slow for it")
    func bandwidth() async throws {
        let origin = try LoopbackOrigin()
        let body = sampleBytes(200_000)
        origin.fallback = { _ in OriginResponse(body: body) }
        let downloader = WebImageDownloader.direct {
            $0.maximumBytesPerSecond = 800_000
            $0.minimumSpeed = .init(bytesPerSecond: 10_000_000, window: .milliseconds(100))
        }
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<4 {
            #expect(try await RecordedLoad(origin.url("/\(number)"), by: downloader).response.data == body)
        }
        // The others pay for the bytes that the first one has brought at once.
        #expect(start.duration(to: clock.now) >= .milliseconds(700))
        downloader.config.maximumBytesPerSecond = nil
        downloader.config.minimumSpeed = nil
        // The limit would make it last 25 seconds.
        let large = sampleBytes(20_000_000)
        origin.serve("/9", OriginResponse(body: large))
        let quick = clock.now
        #expect(try await RecordedLoad(origin.url("/9"), by: downloader).response.data == large)
        #expect(quick.duration(to: clock.now) < .seconds(20))
    }

    @Test("a cancellation is answered while the limit of bytes holds transfers back")
    func cancelledWhileHeldBack() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: sampleBytes(3_000_000)))
        // The downloader pays for the bytes that libcurl reads at once by a pause of half an hour.
        let downloader = WebImageDownloader.direct { $0.maximumBytesPerSecond = 50 }
        let (clock, load) = (ContinuousClock(), RecordedLoad(origin.url("/a"), by: downloader))
        await load.waitForProgress { $0.receivedByteCount > 0 }
        let start = clock.now
        try await downloader.settle()
        load.cancel()
        #expect(await load.error?.isCancelled == true)
        #expect(start.duration(to: clock.now) < .seconds(10))
    }

    @Test("what the limit of bytes holds back is no silence of the server")
    func heldBackIsNotIdle() async throws {
        let origin = try LoopbackOrigin()
        let body = sampleBytes(150_000)
        origin.serve("/a", OriginResponse(body: body))
        // The downloader pays for the bytes that libcurl reads at once, up to a hundred kilobytes, by a pause that is
        // longer than the time-out.
        let downloader = WebImageDownloader.direct {
            $0.maximumBytesPerSecond = 30_000
            $0.downloadTimeout = .seconds(2)
        }
        #expect(try await RecordedLoad(origin.url("/a"), by: downloader).response.data == body)
    }

    @Test("a pause is as long as its bytes should have taken")
    func pause() {
        let start = SuspendingClock.now
        var limiter = BandwidthLimiter(1000, now: start)
        #expect(limiter.pause(at: start) == nil)
        limiter.note(500, at: start)
        #expect(limiter.pause(at: start + .milliseconds(100)) == .milliseconds(400))
        limiter.note(100, at: start + .milliseconds(100))
        #expect(limiter.readableSince == start + .milliseconds(600))
        #expect(limiter.pause(at: start + .milliseconds(600)) == nil)
        // Time that was not used is not made up for.
        limiter.note(100, at: start + .seconds(10))
        #expect(limiter.readableSince == start + .milliseconds(10_100))
    }

    @Test("DL-3 partial bytes come no more often than reports")
    func partialBytes() async throws {
        let origin = try LoopbackOrigin()
        let body = sampleBytes(100_000)
        origin.serve("/a", OriginResponse(body: body).limited(toBytesPerSecond: 400_000))
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.reportsData = true
        let downloader = WebImageDownloader.direct { $0.minimumProgressInterval = .seconds(1) }
        let (clock, load) = (ContinuousClock(), RecordedLoad(request, by: downloader))
        let start = clock.now
        #expect(try await load.response.data == body)
        let pieces = load.events.count { if case .data = $0 { true } else { false } }
        #expect(pieces <= 1 + Int(start.duration(to: clock.now).components.seconds))
        #expect(load.progress.last?.receivedByteCount == body.count)
    }

    @Test("DL-28 the parts of a transfer are told: a new connection's, and none of one that is there")
    func metrics() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.fallback = { _ in OriginResponse(body: Data("x".utf8)).delayed(by: .milliseconds(20)) }
        let downloader = WebImageDownloader.direct()
        let first = try #require(try await RecordedLoad(origin.url("/a"), by: downloader).response.metrics)
        #expect(first.isReusedConnection == false)
        #expect(try #require(first.secureConnection) > .zero)
        #expect(try #require(first.connect) > .zero)
        #expect(first.networkProtocolName == "http/1.1" && first.remoteAddress == "127.0.0.1")
        #expect(first.bodyByteCount == 1)
        let firstByte = try #require(first.firstByte)
        #expect(firstByte >= .milliseconds(20) && firstByte <= first.total)
        let second = try #require(try await RecordedLoad(origin.url("/b"), by: downloader).response.metrics)
        #expect(second.isReusedConnection == true)
        #expect(second.connect == nil && second.secureConnection == nil && second.domainLookup == nil)
    }

    @Test("DL-28 the wait in the queue is told apart, and redirects are summed")
    func metricsOfRedirects() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/held", OriginResponse(body: Data("x".utf8)).held(by: gate))
        origin.serve("/a", .redirect(to: "/b").delayed(by: .milliseconds(20)))
        origin.serve("/b", OriginResponse(body: Data("x".utf8)).delayed(by: .milliseconds(20)))
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 1 }
        let held = RecordedLoad(origin.url("/held"), by: downloader)
        try await origin.waitForRequests(1)
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        try await downloader.settle()
        gate.open()
        _ = try await held.response
        let metrics = try #require(try await load.response.metrics)
        #expect(metrics.redirectCount == 1)
        #expect(metrics.total >= .milliseconds(40))
        #expect(try #require(metrics.firstByte) >= .milliseconds(40))
        #expect(try #require(metrics.queued) > .zero)
    }
}
