import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads that are cancelled", .timeLimit(.minutes(5)))
struct DownloadCancellationTests {
    private let body = sampleBytes(50_000)

    @Test("A1 A9 a load in flight ends as cancelled, and its connection is given up", arguments: [-1, 0, 20_000])
    func inFlight(count: Int) async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        let answer = OriginResponse(body: body)
        origin.serve("/a", count < 0 ? answer.held(by: gate) : answer.held(by: gate, afterBytes: count))
        let downloader = WebImageDownloader.direct()
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        try await origin.waitForRequests(1)
        if count > 0 { await load.waitForProgress { $0.receivedByteCount == count } }
        load.cancel()
        load.cancel()
        let error = try #require(await load.error)
        #expect(error.code == .cancelled && error.isCancelled)
        #expect(error.url == origin.url("/a"))
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
        try await downloader.settle()
        #expect(load.hasEndedOnce)
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("A1 a load that waits for its turn ends as cancelled and sends no request")
    func queued() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        origin.serve("/b", OriginResponse(body: body))
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 1 }
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        try await origin.waitForRequests(1)
        let second = RecordedLoad(origin.url("/b"), by: downloader)
        second.cancel()
        #expect(await second.error?.code == .cancelled)
        gate.open()
        _ = try await first.response
        try await downloader.settle()
        #expect(second.hasEndedOnce)
        #expect(origin.requestCount("/b") == 0)
    }

    @Test("DL-21 a load that is cancelled before its start ends as cancelled and sends no request")
    func beforeStart() async throws {
        let origin = try LoopbackOrigin()
        let downloader = WebImageDownloader.direct()
        let (entered, gate) = (Gate(), Gate())
        // This closure blocks the transfer thread while the load is made and cancelled.
        let blocker = RecordedLoad(ImageLoadRequest(url: try parsed("http://127.0.0.1:1/")), by: downloader) { _ in
            entered.open()
            gate.waitBlocking()
        }
        try await entered.wait()
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        load.cancel()
        gate.open()
        #expect(await load.error?.code == .cancelled)
        _ = await blocker.error
        try await downloader.settle()
        #expect(load.hasEndedOnce)
        #expect(origin.requests.isEmpty)
    }

    @Test("A3 a load that is cancelled between its last byte and its report ends once, as cancelled")
    func beforeTheEnding() async throws {
        let (origin, held) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: held))
        let downloader = WebImageDownloader.direct()
        let cancelSecond = Mutex<RecordedLoad?>(nil)
        // Both share the transfer; the second is cancelled during the ending of the first.
        let first = RecordedLoad(ImageLoadRequest(url: origin.url("/a")), by: downloader) { event in
            guard case .finished = event else { return }
            cancelSecond.withLock { $0 }?.cancel()
        }
        let second = RecordedLoad(origin.url("/a"), by: downloader)
        cancelSecond.withLock { $0 = second }
        try await origin.waitForRequests(1)
        held.open()
        #expect(try await first.response.data == body)
        #expect(await second.error?.code == .cancelled)
        try await downloader.settle()
        #expect(second.hasEndedOnce)
    }

    @Test("a cancel after the end changes nothing")
    func afterTheEnd() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body))
        let downloader = WebImageDownloader.direct()
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        _ = try await load.response
        load.cancel()
        try await downloader.settle()
        #expect(load.hasEndedOnce)
        #expect(try await load.response.data == body)
    }

    @Test("no progress is reported after cancel() has returned")
    func noProgressAfterCancel() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 1000))
        let downloader = WebImageDownloader.direct()
        let stays = RecordedLoad(origin.url("/a"), by: downloader)
        let leaves = RecordedLoad(origin.url("/a"), by: downloader)
        await leaves.waitForProgress { $0.receivedByteCount == 1000 }
        leaves.cancel()
        let count = leaves.progress.count
        gate.open()
        _ = try await stays.response
        #expect(leaves.progress.count == count)
    }

    @Test("DL-29 cancelAll ends waiting and running loads")
    func cancelAll() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.fallback = { [body] _ in OriginResponse(body: body).held(by: gate) }
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 2 }
        let loads = (0..<10).map { RecordedLoad(origin.url("/\($0)"), by: downloader) }
        try await origin.waitForRequests(2)
        downloader.cancelAll()
        for load in loads { #expect(await load.error?.code == .cancelled) }
        #expect(downloader.currentDownloadCount == 0)
        gate.open()
        origin.fallback = { _ in .text("x") }
        _ = try await RecordedLoad(origin.url("/after"), by: downloader).response
        #expect(loads.allHaveEndedOnce)
    }

    @Test("A17 a released downloader ends its loads as cancelled")
    func letGo() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.fallback = { [body] _ in OriginResponse(body: body).held(by: gate, afterBytes: 10) }
        var downloader: WebImageDownloader? = .direct { $0.maxConcurrentDownloads = 2 }
        weak let last = downloader
        let loads = try (0..<5).map {
            let request = ImageLoadRequest(url: origin.url("/\($0)"))
            return RecordedLoad(request, by: try #require(downloader), keepsLoader: false)
        }
        try await origin.waitForRequests(2)
        downloader = nil
        #expect(last == nil)
        #expect(loads.allHaveEndedOnce, "the endings came before the downloader was gone")
        for load in loads { #expect(await load.error?.code == .cancelled) }
        loads.forEach { $0.cancel() }
        let endings = try await origin.waitForRequests { $0.allSatisfy { $0.ending != nil } }.map(\.ending)
        #expect(endings == [.clientLeft, .clientLeft])
        gate.open()
    }

    @Test("A18 the closure of an ending may release the downloader")
    func letGoByReceiver() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body))
        let owner = Mutex<WebImageDownloader?>(.direct())
        let load = try owner.withLock { downloader in
            let request = ImageLoadRequest(url: origin.url("/a"))
            return RecordedLoad(request, by: try #require(downloader), keepsLoader: false) { event in
                guard case .finished = event else { return }
                let last = owner.withLock { downloader in
                    defer { downloader = nil }
                    return downloader
                }
                _ = last
            }
        }
        #expect(try await load.response.data == body)
        #expect(load.hasEndedOnce)
    }

    @Test("A3 A20 two thousand loads with cancels at any time end once each, and none is left behind")
    func storm() async throws {
        let origin = try LoopbackOrigin()
        serveAllKinds(origin)
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 16 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(lane))
                    var loads: [RecordedLoad] = []
                    for _ in 0..<500 {
                        let url = origin.url("/\(Int.random(in: 0..<40, using: &random))")
                        let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                        loads.append(RecordedLoad(ImageLoadRequest(url: url, priority: priority), by: downloader))
                        if Bool.random(using: &random) { loads.randomElement(using: &random)?.cancel() }
                        if Bool.random(using: &random) { loads.randomElement(using: &random)?.setPriority(.high) }
                        if Int.random(in: 0..<8, using: &random) == 0 { _ = await loads.last?.error }
                    }
                    for load in loads { try await check(load) }
                    try await downloader.settle()
                    #expect(loads.allHaveEndedOnce)
                }
            }
            try await group.waitForAll()
        }
        #expect(downloader.currentDownloadCount == 0)
    }

    private func serveAllKinds(_ origin: LoopbackOrigin) {
        for number in 0..<40 {
            let answer = OriginResponse(body: sampleBytes(number * 1500 + 1, seed: number))
            switch number % 8 {
            case 5: origin.serve("/\(number)", answer.chunked(700))
            case 6: origin.serve("/\(number)", .redirect(to: "/0"))
            case 7: origin.serve("/\(number)", answer.closed(afterBytes: 100))
            default: origin.serve("/\(number)", answer)
            }
        }
    }

    private func check(_ load: RecordedLoad) async throws {
        do {
            #expect(!(try await load.response.data.isEmpty))
        } catch let error as WebImageError {
            #expect([.cancelled, .connectionLost].contains(error.code), "\(error)")
        }
    }
}
