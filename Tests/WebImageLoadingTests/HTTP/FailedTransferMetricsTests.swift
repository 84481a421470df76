import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("The times of transfers that fail", .timeLimit(.minutes(5)))
struct FailedTransferMetricsTests {
    private let body = sampleBytes(50_000)

    private struct NoCache: EmptyCache {}

    private func metrics(
        _ url: URL, by downloader: WebImageDownloader = .direct(), timeout: Duration? = nil
    ) async throws -> TransferMetrics {
        let error = try #require(await RecordedLoad(ImageLoadRequest(url: url, timeout: timeout), by: downloader).error)
        return try #require(error.metrics, "\(error)")
    }

    @Test("DL-28 an answer that is refused has all its times, also over a connection that is there")
    func refused() async throws {
        let (origin, downloader) = (try LoopbackOrigin(), WebImageDownloader.direct())
        origin.fallback = { _ in OriginResponse.text("no", status: 404).delayed(by: .milliseconds(20)) }
        let first = try await metrics(origin.url("/a"), by: downloader)
        #expect(first.isReusedConnection == false && first.connect != nil && first.queued != nil)
        #expect(first.networkProtocolName == "http/1.1" && first.remoteAddress == "127.0.0.1")
        #expect(try #require(first.firstByte) >= .milliseconds(20) && first.total >= .milliseconds(20))
        let second = try await metrics(origin.url("/b"), by: downloader)
        #expect(second.isReusedConnection == true && second.connect == nil)
    }

    @Test("DL-28 a connection that does not come about has no more than its beginning")
    func noConnection() async throws {
        let port = try UnusedPort()
        let refused = try await metrics(try parsed("http://127.0.0.1:\(port.number)/"))
        #expect(refused.isReusedConnection == nil && refused.firstByte == nil && refused.total > .zero)
        let mute = try RawOrigin([.receive { !$0.isEmpty }, .stall])
        let downloader = WebImageDownloader.direct { $0.connectTimeout = .seconds(0.2) }
        let handshake = try await metrics(try parsed("https://127.0.0.1:\(mute.port)/a"), by: downloader)
        #expect(handshake.secureConnection == nil && handshake.firstByte == nil)
        // libcurl begins to count the limit a moment before it counts the time.
        #expect(handshake.total >= .milliseconds(190))
    }

    @Test("DL-28 a body that stalls or breaks off has the bytes that came, after a redirect, too")
    func body() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/stall", OriginResponse(body: body).stalling(afterBytes: 1000))
        origin.serve("/reset", OriginResponse(body: body).closed(afterBytes: 2000))
        origin.serve("/moved", .redirect(to: "/reset").delayed(by: .milliseconds(20)))
        let stalled = try await metrics(origin.url("/stall"), timeout: .seconds(0.2))
        #expect(stalled.bodyByteCount == 1000 && stalled.total >= .milliseconds(190))
        #expect(try #require(stalled.firstByte) < stalled.total)
        let moved = try await metrics(origin.url("/moved"))
        #expect(moved.redirectCount == 1 && moved.bodyByteCount == 2000 && moved.total >= .milliseconds(20))
    }

    @Test("DL-28 a cancelled load has the times until then, while another one goes on; one that waits has none")
    func cancelled() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 10_000))
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 1 }
        let (first, second) = (
            RecordedLoad(origin.url("/a"), by: downloader), RecordedLoad(origin.url("/a"), by: downloader)
        )
        await first.waitForProgress { $0.receivedByteCount == 10_000 }
        let waiting = RecordedLoad(origin.url("/b"), by: downloader)
        try await downloader.settle()
        for load in [first, waiting] { load.cancel() }
        let error = try #require(await first.error)
        #expect(error.isCancelled && error.metrics?.bodyByteCount == 10_000 && error.metrics?.firstByte != nil)
        #expect(await waiting.error?.isCancelled == true)
        #expect(await waiting.error?.metrics == nil)
        gate.open()
        #expect(try await second.response.metrics?.bodyByteCount == body.count)
    }

    @Test("DL-28 a transfer that begins again counts no redirect, and sums its times")
    func again() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a") { [body] request in
            request.header("range") == nil ? OriginResponse(body: body) : OriginResponse(status: 416)
        }
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.partialBody = PartialBody(data: sampleBytes(20_000), validator: "\"1\"")
        let response = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(response.metrics?.redirectCount == 0 && response.metrics?.bodyByteCount == body.count)
    }

    @Test("DL-28 a listener hears of them at the end of the load's stage, and the load's error has them")
    func listener() async throws {
        let origin = try LoopbackOrigin()
        let trace = TraceRecorder()
        let manager = WebImageManager(cache: NoCache(), loader: WebImageDownloader.direct())
        var context = WebImageContext()
        context.listener = trace
        let error = await #expect(throws: WebImageError.self) {
            try await manager.image(for: origin.url("/none"), context: context)
        }
        #expect(error?.statusCode == 404 && error?.metrics?.remoteAddress == "127.0.0.1")
        try await trace.waitForEnd()
        let transfers = trace.events.filter { $0.stage == .load }.compactMap(\.transfer)
        #expect(transfers == [error?.metrics].compactMap(\.self) && transfers.count == 1)
    }
}
