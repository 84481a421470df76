import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads that share a transfer", .timeLimit(.minutes(5)))
struct DownloadCoalescingTests {
    private let body = sampleBytes(50_000)

    @Test("DL-18 ten loads of one URL at one time are one request")
    func share() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let loads = (0..<10).map { _ in RecordedLoad(origin.url("/a"), by: downloader) }
        try await origin.waitForRequests(1)
        try await downloader.settle()
        gate.open()
        for load in loads {
            #expect(try await load.response.data == body)
            #expect(load.hasEndedOnce)
            #expect(load.progress.last == LoadProgress(receivedByteCount: 50_000, expectedByteCount: 50_000))
        }
        #expect(origin.requestCount("/a") == 1)
    }

    @Test("A6 a load that joins in the middle of the body gets all of it, and its progress")
    func joinInTheMiddle() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 20_000))
        let downloader = WebImageDownloader.direct()
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        await first.waitForProgress { $0.receivedByteCount == 20_000 }
        let second = RecordedLoad(origin.url("/a"), by: downloader)
        await second.waitForProgress { _ in true }
        #expect(second.progress.first?.receivedByteCount == 20_000)
        gate.open()
        #expect(try await first.response.data == body)
        #expect(try await second.response.data == body)
        #expect(origin.requests.count == 1)
    }

    @Test("loads that ask with other header fields do not share")
    func otherHeaders() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let loads = ["one", "two"].map {
            RecordedLoad(ImageLoadRequest(url: origin.url("/a"), headers: ["X-Who": $0]), by: downloader)
        }
        try await origin.waitForRequests(2)
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(Set(origin.requests.map { $0.header("x-who") }) == ["one", "two"])
    }

    @Test("a load after the end of another is a request of its own")
    func afterTheEnd() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("one"), .text("two"))
        let downloader = WebImageDownloader.direct()
        #expect(try await RecordedLoad(origin.url("/a"), by: downloader).response.data == Data("one".utf8))
        #expect(try await RecordedLoad(origin.url("/a"), by: downloader).response.data == Data("two".utf8))
    }

    /// A load that begins while the end of another one, whose body is as said, is reported.
    private func loadBegunInsideTheEnding(
        of text: String, _ origin: LoopbackOrigin, _ downloader: WebImageDownloader
    ) async throws -> RecordedLoad {
        let next = Mutex<RecordedLoad?>(nil)
        let first = RecordedLoad(ImageLoadRequest(url: origin.url("/a")), by: downloader) { [weak downloader] event in
            guard case .finished = event, let downloader else { return }
            next.withLock { $0 = RecordedLoad(origin.url("/a"), by: downloader) }
        }
        #expect(try await first.response.data == Data(text.utf8))
        return try #require(next.withLock { $0 })
    }

    @Test("A52 A4 a load that begins during the report of another's end is never lost")
    func beginInsideTheEnding() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("one"), .text("two"))
        let downloader = WebImageDownloader.direct()
        let second = try await loadBegunInsideTheEnding(of: "one", origin, downloader)
        #expect(try await second.response.data == Data("two".utf8))
    }

    @Test("A5 a failure is reported once to each waiting load")
    func sharedFailure() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(status: 500).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let loads = (0..<10).map { _ in RecordedLoad(origin.url("/a"), by: downloader) }
        try await origin.waitForRequests(1)
        gate.open()
        for load in loads { #expect(await load.error?.statusCode == 500) }
        try await downloader.settle()
        #expect(loads.allHaveEndedOnce)
    }

    @Test("DL-20 a load that is cancelled does not cancel the transfer of the others")
    func oneLeaves() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 1000))
        let downloader = WebImageDownloader.direct()
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        let second = RecordedLoad(origin.url("/a"), by: downloader)
        await first.waitForProgress { $0.receivedByteCount == 1000 }
        first.cancel()
        #expect(await first.error?.code == .cancelled)
        gate.open()
        #expect(try await second.response.data == body)
        #expect(first.hasEndedOnce && second.hasEndedOnce)
        #expect(origin.requests.count == 1)
    }

    @Test("B15 A7 B44 a transfer without loads is never joined again")
    func cancelThenAgain() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: Data("old".utf8)).held(by: gate), .text("new"))
        let downloader = WebImageDownloader.direct()
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        try await origin.waitForRequests(1)
        first.cancel()
        let second = RecordedLoad(origin.url("/a"), by: downloader)
        #expect(try await second.response.data == Data("new".utf8))
        #expect(await first.error?.code == .cancelled)
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
        gate.open()
    }

    @Test("B44 the end of a cancelled transfer leaves the one that has followed it: others join that")
    func successorOfCancelled() async throws {
        let (origin, gates) = (try LoopbackOrigin(), [Gate(), Gate()])
        origin.serve(
            "/a", OriginResponse(body: Data("old".utf8)).held(by: gates[0]),
            OriginResponse(body: body).held(by: gates[1], afterBytes: 20_000))
        let downloader = WebImageDownloader.direct()
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        try await origin.waitForRequests(1)
        first.cancel()
        let second = RecordedLoad(origin.url("/a"), by: downloader)
        await second.waitForProgress { $0.receivedByteCount == 20_000 }
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
        try await downloader.settle()
        let third = RecordedLoad(origin.url("/a"), by: downloader)
        await third.waitForProgress { _ in true }
        gates[1].open()
        for load in [second, third] { #expect(try await load.response.data == body) }
        #expect(origin.requests.count == 2)
        gates[0].open()
    }

    @Test("B44 the end of a whole transfer leaves the one that began during its report")
    func successorOfFinished() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", .text("one"), OriginResponse(body: body).held(by: gate, afterBytes: 20_000))
        let downloader = WebImageDownloader.direct()
        let second = try await loadBegunInsideTheEnding(of: "one", origin, downloader)
        await second.waitForProgress { $0.receivedByteCount == 20_000 }
        let third = RecordedLoad(origin.url("/a"), by: downloader)
        await third.waitForProgress { _ in true }
        gate.open()
        for load in [second, third] { #expect(try await load.response.data == body) }
        #expect(origin.requests.count == 2)
    }
}
