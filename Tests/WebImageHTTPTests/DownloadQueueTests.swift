import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads that wait for their turn", .timeLimit(.minutes(5)))
struct DownloadQueueTests {
    /// A downloader with one slot, which is occupied until the gate opens.
    private struct Line {
        let origin: LoopbackOrigin
        let gate = Gate()
        let downloader: WebImageDownloader
        let first: RecordedLoad

        init(_ order: WebImageDownloaderConfig.ExecutionOrder = .firstInFirstOut) async throws {
            origin = try LoopbackOrigin()
            origin.fallback = { _ in .text("x") }
            origin.serve("/1", OriginResponse(body: Data("x".utf8)).held(by: gate))
            downloader = .direct {
                $0.maxConcurrentDownloads = 1
                $0.executionOrder = order
            }
            first = RecordedLoad(origin.url("/1"), by: downloader)
            try await origin.waitForRequests(1)
        }

        func load(_ name: Int, _ priority: LoadPriority = .normal) -> RecordedLoad {
            RecordedLoad(ImageLoadRequest(url: origin.url("/\(name)"), priority: priority), by: downloader)
        }

        /// The order of the origin's requests, after all have ended.
        func order(of loads: [RecordedLoad]) async throws -> [Int] {
            try await downloader.settle()
            gate.open()
            for load in loads { _ = try await load.response }
            return origin.requests.compactMap { Int($0.path.dropFirst()) }
        }
    }

    @Test("S0-10 DL-6 first in, first out by default")
    func firstInFirstOut() async throws {
        let line = try await Line()
        let loads = (2...200).map { line.load($0) }
        #expect(try await line.order(of: loads) == Array(1...200))
    }

    @Test("DL-6 A51 last in, first out: 1, then 7 down to 2")
    func lastInFirstOut() async throws {
        let line = try await Line(.lastInFirstOut)
        let loads = (2...7).map { line.load($0) }
        #expect(try await line.order(of: loads) == [1, 7, 6, 5, 4, 3, 2])
    }

    @Test("A51 last in, first out holds for loads that come while others run: each time, the newest goes first")
    func lastInWhileRunning() async throws {
        let line = try await Line(.lastInFirstOut)
        let gate = Gate()
        line.origin.serve("/3", OriginResponse(body: Data("x".utf8)).held(by: gate))
        let early = [line.load(2), line.load(3)]
        try await line.downloader.settle()
        line.gate.open()
        // 3 runs; those that come now go before the one that has waited since before it.
        try await line.origin.waitForRequests(2)
        let late = [line.load(4), line.load(5)]
        try await line.downloader.settle()
        gate.open()
        #expect(try await line.order(of: early + late) == [1, 3, 5, 4, 2])
    }

    @Test("the most urgent come first, whatever the order within a priority")
    func priority() async throws {
        let line = try await Line()
        let loads = [
            line.load(2, .low), line.load(3), line.load(4, .high), line.load(5, .low), line.load(6, .high),
        ]
        #expect(try await line.order(of: loads) == [1, 4, 6, 3, 2, 5])
    }

    @Test("A53 an urgent load makes the transfer that it joins urgent")
    func joinRaises() async throws {
        let line = try await Line()
        let loads = [line.load(2), line.load(3, .low), line.load(4), line.load(3, .high)]
        #expect(try await line.order(of: loads) == [1, 3, 2, 4])
    }

    @Test("a transfer has the highest priority of the loads that still wait for it")
    func leaveLowers() async throws {
        let line = try await Line()
        let (urgent, others) = (line.load(2, .high), [line.load(2, .low), line.load(3)])
        urgent.cancel()
        #expect(await urgent.error?.code == .cancelled)
        #expect(try await line.order(of: others) == [1, 3, 2])
    }

    @Test("a priority that changes while waiting counts at once")
    func setPriority() async throws {
        let line = try await Line()
        let loads = [line.load(2), line.load(3), line.load(4)]
        loads[2].setPriority(.high)
        loads[0].setPriority(.low)
        #expect(try await line.order(of: loads) == [1, 4, 3, 2])
    }

    @Test("DL-1 a changed limit counts at once")
    func liveLimit() async throws {
        let line = try await Line()
        let loads = [line.load(2), line.load(3)]
        line.downloader.config.maxConcurrentDownloads = 3
        for load in loads { _ = try await load.response }
        #expect(!line.gate.isOpen)
        line.gate.open()
        _ = try await line.first.response
    }

    @Test("DL-1 no more transfers than allowed are under way")
    func limit() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.fallback = { _ in OriginResponse(body: Data("x".utf8)).held(by: gate) }
        let downloader = WebImageDownloader.direct()
        let loads = (0..<20).map { RecordedLoad(origin.url("/\($0)"), by: downloader) }
        try await origin.waitForRequests(6)
        try await downloader.settle()
        #expect(origin.requests.count == 6)
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(origin.connectionCount <= 6)
    }

    @Test("a transfer that is cancelled while it waits for a connection leaves nothing behind")
    func cancelWithoutConnection() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.fallback = { _ in OriginResponse(body: Data("x".utf8)) }
        origin.serve("/0", OriginResponse(body: Data("x".utf8)).held(by: gate))
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 10
            $0.maxConnectionsPerHost = 1
        }
        let first = RecordedLoad(origin.url("/0"), by: downloader)
        try await origin.waitForRequests(1)
        let waiting = (1..<10).map { RecordedLoad(origin.url("/\($0)"), by: downloader) }
        for load in waiting { await load.waitForProgress { _ in true } }
        // One more iteration of the loop, so that libcurl has looked for a connection for each of them.
        try await downloader.settle()
        try await downloader.settle()
        waiting.forEach { $0.cancel() }
        for load in waiting { #expect(await load.error?.code == .cancelled) }
        gate.open()
        _ = try await first.response
        // The same number at once, so that every used handle would be reused.
        let next = (10..<20).map { RecordedLoad(origin.url("/\($0)"), by: downloader) }
        for load in next { _ = try await load.response }
        #expect(origin.connectionCount == 1)
    }

    @Test("no more connections to one host than allowed, and waiting for one is not idleness")
    func connectionsPerHost() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.fallback = { _ in OriginResponse(body: Data("x".utf8)) }
        // Seven seconds. A busy machine may stand still for some of the six after which a load is idle.
        origin.serve("/0", OriginResponse(body: sampleBytes(1000)).limited(toBytesPerSecond: 140))
        origin.serve("/1", OriginResponse(body: sampleBytes(1000)).held(by: gate))
        let downloader = WebImageDownloader.direct {
            $0.maxConcurrentDownloads = 10
            $0.maxConnectionsPerHost = 1
        }
        let loads = (0..<10).map {
            RecordedLoad(ImageLoadRequest(url: origin.url("/\($0)"), timeout: .seconds(6)), by: downloader)
        }
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(origin.connectionCount == 1)
    }
}
