import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2Tests {
    @Test("transfers from one server go over one connection, all at the same time")
    func multiplexing() async throws {
        // Together more than a server can send while nobody reads.
        let body = sampleBytes(1_000_000)
        let server = try await HTTP2Server(["large": sampleBytes(40_000_000), "a": body])
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 51
            $0.maxConnectionsPerHost = 6
        }
        let (started, added) = (Gate(), Gate())
        let large = RecordedLoad(ImageLoadRequest(url: try server.url("large")), by: downloader) { event in
            guard case .progress(let progress) = event, progress.receivedByteCount > 0 else { return }
            started.open()
            // Blocks the transfer thread here, so that all others begin at once.
            added.waitBlocking()
        }
        try await started.wait()
        let loads = try (0..<50).map { RecordedLoad(try server.url("a?\($0)"), by: downloader) }
        added.open()
        for load in loads { #expect(try await load.response.data == body) }
        _ = try await large.response
        let log = try await server.stop()
        #expect(log.connectionCount == 1)
        #expect(log.largestStreamCount > 6)
    }

    @Test("a cancelled transfer leaves the connection to the others")
    func cancellation() async throws {
        let body = sampleBytes(50_000)
        let server = try await HTTP2Server(["large": sampleBytes(40_000_000), "small": body])
        let downloader = WebImageDownloader.direct()
        let (started, cancelled) = (Gate(), Gate())
        let large = RecordedLoad(ImageLoadRequest(url: try server.url("large")), by: downloader) { event in
            guard case .progress(let progress) = event, progress.receivedByteCount > 0 else { return }
            started.open()
            // Blocks the transfer thread here, so that the rest cannot arrive meanwhile.
            cancelled.waitBlocking()
        }
        try await started.wait()
        large.cancel()
        cancelled.open()
        #expect(await large.error?.isCancelled == true)
        #expect(try await RecordedLoad(try server.url("small"), by: downloader).response.data == body)
        let log = try await server.stop()
        #expect(log.connectionCount == 1)
        #expect(log.resetCount == 1)
    }

    @Test("a priority that changes while the body comes changes the share of the connection, where weights are sent")
    func changedWeight() async throws {
        let server = try await HTTP2Server(["large": sampleBytes(20_000_000)])
        let downloader = WebImageDownloader.direct()
        let (started, changed) = (Gate(), Gate())
        let load = RecordedLoad(ImageLoadRequest(url: try server.url("large")), by: downloader) { event in
            guard case .progress(let progress) = event, progress.receivedByteCount > 0 else { return }
            started.open()
            // Blocks the transfer thread here, so that the rest cannot arrive meanwhile.
            changed.waitBlocking()
        }
        try await started.wait()
        load.setPriority(.veryHigh)
        changed.open()
        #expect(try await load.response.data.count == 20_000_000)
        #expect(try await server.stop().changedWeights == (CurlVersion.sendsWeights ? [256] : []))
    }

    @Test("OPT-1 OPT-7 a server is told the priority of a load, and gives it its share of the connection")
    func priorities() async throws {
        let server = try await HTTP2Server(["a": sampleBytes(1000)])
        let downloader = WebImageDownloader.direct()
        for priority in LoadPriority.allCases {
            var request = ImageLoadRequest(url: try server.url("a?\(priority)"))
            request.priority = priority
            #expect(try await RecordedLoad(request, by: downloader).response.data.count == 1000)
        }
        let log = try await server.stop()
        // The protocol's defaults need not be sent.
        #expect(log.priorities == ["u=5", "u=1", "u=0"])
        #expect(log.weights.filter { $0 != 16 } == (CurlVersion.sendsWeights ? [4, 64, 256] : []))
    }

    @Test("OPT-7 a load keeps a Priority field of its own")
    func ownField() async throws {
        let server = try await HTTP2Server(["a": sampleBytes(1000)])
        var request = ImageLoadRequest(url: try server.url("a"))
        request.priority = .high
        request.headers["priority"] = "u=2, i"
        #expect(try await RecordedLoad(request, by: WebImageDownloader.direct()).response.data.count == 1000)
        #expect(try await server.stop().priorities == ["u=2, i"])
    }
}
