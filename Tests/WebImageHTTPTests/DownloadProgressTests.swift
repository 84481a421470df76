import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Progress of downloads", .timeLimit(.minutes(5)))
struct DownloadProgressTests {
    private let body = sampleBytes(50_000)

    @Test("DL-22 progress begins with the start and with the answer, only grows, and ends with the whole")
    func monotonic() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body).limited(toBytesPerSecond: 500_000))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        _ = try await load.response
        let progress = load.progress
        #expect(progress.first == LoadProgress(receivedByteCount: 0))
        #expect(progress.dropFirst().allSatisfy { $0.expectedByteCount == 50_000 })
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.receivedByteCount <= $1.receivedByteCount })
        #expect(progress.last == LoadProgress(receivedByteCount: 50_000, expectedByteCount: 50_000))
        #expect(progress.count > 3)
        #expect(Set(progress).count == progress.count)
    }

    @Test("DL-22 the length is reported as soon as the head has arrived")
    func headOnly() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 0))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        await load.waitForProgress { $0 == LoadProgress(receivedByteCount: 0, expectedByteCount: 50_000) }
        #expect(load.endings.isEmpty)
        gate.open()
        _ = try await load.response
    }

    @Test("DL-3 reports come no more often than the interval; beginning, answer and end always come")
    func throttled() {
        let start = SuspendingClock.now
        var reports = ProgressReports(minimumInterval: .seconds(0.5))
        func isDue(_ count: Int, after milliseconds: Int, isLast: Bool = false) -> Bool {
            let progress = LoadProgress(receivedByteCount: count, expectedByteCount: 100)
            return reports.isDue(progress, at: start + .milliseconds(milliseconds), isLast: isLast)
        }
        let isFirstDue = reports.isDue(LoadProgress(receivedByteCount: 0), at: start, isLast: false)
        let due = [
            isDue(0, after: 1), isDue(10, after: 2), isDue(20, after: 501), isDue(30, after: 502),
            isDue(40, after: 600), isDue(100, after: 601, isLast: true), isDue(100, after: 9000, isLast: true),
        ]
        #expect(isFirstDue)
        #expect(due == [true, true, false, true, false, true, false])
    }

    @Test("DL-3 the last report comes whatever the interval")
    func lastReport() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 1000))
        let downloader = WebImageDownloader.direct { $0.minimumProgressInterval = .seconds(1) }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        await load.waitForProgress { $0.receivedByteCount == 1000 }
        gate.open()
        _ = try await load.response
        #expect(load.progress.last?.receivedByteCount == 50_000)
    }

    @Test(
        "DL-3 an interval is 0 to 1 second; 0 by default, which holds nothing back",
        arguments: [(.seconds(-1), .zero), (.seconds(0.5), .seconds(0.5)), (.seconds(7), .seconds(1))]
            as [(Duration, Duration)])
    func range(interval: Duration, taken: Duration) {
        var config = WebImageDownloaderConfig()
        #expect(config.minimumProgressInterval == .zero)
        config.minimumProgressInterval = interval
        #expect(config.minimumProgressInterval == taken)
    }

    @Test("DL-3 a load whose bytes arrive in many pieces reports at most one in each interval")
    func fewReports() async throws {
        let (origin, clock) = (try LoopbackOrigin(), ContinuousClock())
        origin.serve("/a", OriginResponse(body: body).limited(toBytesPerSecond: 500_000))
        let begin = clock.now
        let downloader = WebImageDownloader.direct { $0.minimumProgressInterval = .seconds(1) }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        _ = try await load.response
        let seconds = Int((clock.now - begin).components.seconds)
        let between = load.progress.filter { $0.receivedByteCount > 0 && $0.receivedByteCount < body.count }
        #expect(between.count <= 1 + seconds, "\(load.progress)")
        #expect(load.progress.last?.receivedByteCount == body.count)
    }

    @Test("DL-3 without an interval, every piece is reported")
    func everyPiece() async throws {
        let origin = try LoopbackOrigin()
        let gates = (1...5).map { (byteCount: $0 * 1000, gate: Gate()) }
        origin.serve(
            "/a", gates.reduce(OriginResponse(body: body)) { $0.held(by: $1.gate, afterBytes: $1.byteCount) })
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        for (byteCount, gate) in gates {
            await load.waitForProgress { $0.receivedByteCount == byteCount }
            gate.open()
        }
        _ = try await load.response
    }

    @Test("DL-3 with no length known, every report comes")
    func unknownLength() async throws {
        let origin = try LoopbackOrigin()
        let gates = [Gate(), Gate()]
        origin.serve(
            "/a",
            OriginResponse(body: body).chunked(1000).held(by: gates[0], afterBytes: 1000)
                .held(by: gates[1], afterBytes: 2000))
        let downloader = WebImageDownloader.direct { $0.minimumProgressInterval = .seconds(1) }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        await load.waitForProgress { $0.receivedByteCount == 1000 }
        gates[0].open()
        await load.waitForProgress { $0.receivedByteCount == 2000 }
        #expect(load.endings.isEmpty)
        gates[1].open()
        _ = try await load.response
        #expect(load.progress.allSatisfy { $0.expectedByteCount == nil && $0.fractionCompleted == nil })
    }

    @Test("the body of a redirect is no progress")
    func redirectBody() async throws {
        let origin = try LoopbackOrigin()
        var redirect = OriginResponse.redirect(to: "/b")
        redirect.body = Data("moved".utf8)
        origin.serve("/a", redirect)
        origin.serve("/b", OriginResponse(body: body))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        #expect(try await load.response.data == body)
        #expect(load.progress.allSatisfy { $0.expectedByteCount ?? 50_000 == 50_000 })
    }

    @Test("a refused answer makes no progress")
    func refused() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("not found", status: 404))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        #expect(await load.error?.statusCode == 404)
        #expect(load.progress == [LoadProgress(receivedByteCount: 0)])
    }
}
