import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Bytes as they arrive", .timeLimit(.minutes(5)))
struct ReportedDataTests {
    /// Without the environment's proxy. Retained here, because deallocating a downloader ends its loads.
    private let downloader = WebImageDownloader.direct()
    private let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    /// The events of one load.
    private struct Story: Sendable {
        var pieces: [Data] = []
        /// Each piece as it was when it came.
        var copies: [[UInt8]] = []
        var ending: Result<ImageLoadResponse, WebImageError>?

        var joined: Data { pieces.reduce(Data(), +) }
    }

    private func start(
        _ loader: any ImageLoader, _ url: URL, reportsData: Bool = true
    ) -> (story: Observed<Story>, task: any CancellableTask) {
        let story = Observed(Story())
        var request = ImageLoadRequest(url: url)
        request.reportsData = reportsData
        let task = loader.load(request) { event in
            switch event {
            case .progress: break
            case .data(let data):
                story.update { story in
                    story.pieces.append(data)
                    story.copies.append([UInt8](data))
                }
            case .finished(let result): story.update { $0.ending = result }
            }
        }
        return (story, task)
    }

    @Test("B46 the pieces of a download are the beginning of the body, and do not change while more arrives")
    func download() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 100_000))
        let (story, _) = start(downloader, origin.url("/a"))
        let half = try await story.wait { $0.joined.count >= 100_000 }
        #expect(half.joined == body.prefix(100_000))
        gate.open()
        let end = try await story.wait { $0.ending != nil }
        #expect(try end.ending?.get().data == body)
        #expect(end.joined == body.prefix(end.joined.count))
        #expect(end.pieces.count > 1 && end.pieces.map { [UInt8]($0) } == end.copies)
    }

    @Test(
        "a load that joins a transfer late gets the earlier bytes at once, and a load that did not request bytes gets none"
    )
    func joining() async throws {
        let origin = try LoopbackOrigin()
        let (first, second) = (Gate(), Gate())
        origin.serve(
            "/a", OriginResponse(body: body).held(by: first, afterBytes: 100_000).held(by: second, afterBytes: 200_000))
        let silent = start(downloader, origin.url("/a"), reportsData: false)
        let early = start(downloader, origin.url("/a"))
        _ = try await early.story.wait { $0.joined.count >= 100_000 }
        let late = start(downloader, origin.url("/a"))
        let missed = try await late.story.wait { $0.joined.count >= 100_000 }
        #expect(missed.joined == body.prefix(100_000))
        first.open()
        let more = try await late.story.wait { $0.joined.count >= 200_000 }
        #expect(more.joined == body.prefix(200_000))
        second.open()
        for story in [silent.story, early.story, late.story] {
            #expect(try await story.wait { $0.ending != nil }.ending?.get().data == body)
        }
        #expect(silent.story.value.pieces.isEmpty)
        #expect(early.story.value.joined == body.prefix(early.story.value.joined.count))
        #expect(origin.requestCount("/a") == 1)
    }

    @Test("a refused answer gives no bytes")
    func refused() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(status: 404, body: body))
        let end = try await start(downloader, origin.url("/a")).story.wait { $0.ending != nil }
        #expect(end.pieces.isEmpty && end.ending?.failure?.statusCode == 404)
    }

    private func temporaryFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "webimage-reported-\(UUID().uuidString)")
        try body.write(to: file)
        return file
    }

    @Test("the pieces of a file begin small and make up the file")
    func file() async throws {
        let file = try temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let end = try await start(FileLoader(), file).story.wait { $0.ending != nil }
        #expect(end.joined == body)
        #expect(end.pieces.first?.count ?? .max <= 32 << 10)
        #expect(try end.ending?.get().data == body)
    }

    @Test("a receiver that cancels at the first piece of a file gets no second one")
    func cancelledFile() async throws {
        let file = try temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let (story, task) = (Observed(Story()), DeferredCancellation())
        var request = ImageLoadRequest(url: file)
        request.reportsData = true
        task.attach(
            FileLoader().load(request) { event in
                switch event {
                case .progress: break
                case .data(let data):
                    story.update { $0.pieces.append(data) }
                    task.cancel()
                case .finished(let result): story.update { $0.ending = result }
                }
            })
        let end = try await story.wait { $0.ending != nil }
        // The file may be read before its task is known here; the cancellation is then too late.
        #expect(end.pieces.count == 1 || end.joined == body)
        if end.pieces.count == 1 { #expect(end.ending?.failure?.isCancelled == true) }
    }
}
