import CCurl
import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("A process without another thread", .timeLimit(.minutes(5)))
struct ThreadShortageTests {
    @Test("loads end once with one clear error, and work when there are threads again")
    func transferThread() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("x") }
        let hasThreads = Observed(false)
        let downloader = WebImageDownloader(config: WebImageDownloader.direct().config) { thread, start, context in
            hasThreads.value ? TransferThread.systemCreate(&thread, start, context) : EAGAIN
        }
        // The settings of a downloader whose thread does not run yet are kept for it.
        downloader.isSuspended = true
        downloader.config.headers["X-Own"] = "1"
        for _ in 0..<3 {
            let load = RecordedLoad(origin.url("/a"), by: downloader)
            let error = try #require(await load.error)
            #expect(error.code == .limitExceeded && error.kind == .transient)
            #expect(error.stage == .load && error.url == origin.url("/a"))
            #expect(error.reason.contains("no other thread") && error.reason.contains("ulimit -u"), "\(error)")
            #expect(load.hasEndedOnce)
            load.cancel()
        }
        #expect(downloader.currentDownloadCount == 0)
        #expect(origin.requests.isEmpty)
        hasThreads.update { $0 = true }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        try await downloader.settle()
        #expect(origin.requests.isEmpty)
        downloader.isSuspended = false
        #expect(try await load.response.data == Data("x".utf8))
        #expect(origin.requests.map { $0.header("x-own") } == ["1"])
    }

    @Test("a look-up that gets no thread does not blame the host's name")
    func lookUp() throws {
        let failure = TransferFailure(
            result: CURLE_COULDNT_RESOLVE_HOST, message: "getaddrinfo() thread failed to start",
            url: try parsed("http://a.example/"), socketError: 0, stage: .connecting,
            progress: LoadProgress(receivedByteCount: 0), config: WebImageDownloaderConfig())
        #expect(failure.error.code == .limitExceeded)
        #expect(failure.error.kind == .transient)
        #expect(failure.error.reason.contains("no other thread"), "\(failure.error)")
    }
}
