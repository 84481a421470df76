import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Download operations of an app", .timeLimit(.minutes(5)))
struct DownloadOperationTests {
    /// Hands each exchange to the test.
    private final class Scripted: DownloadOperation {
        final class Exchange: CancellableTask {
            let request: DownloadRequest
            let receive: @Sendable (DownloadOperationEvent) -> Void
            let isCancelled = Observed(false)
            let priorities = Observed<[LoadPriority]>([])

            init(_ request: DownloadRequest, _ receive: @escaping @Sendable (DownloadOperationEvent) -> Void) {
                self.request = request
                self.receive = receive
            }

            func cancel() { isCancelled.update { $0 = true } }

            func setPriority(_ priority: LoadPriority) { priorities.update { $0.append(priority) } }

            func respond(_ text: String, status: Int = 200) {
                receive(
                    .response(HTTPResponse(url: request.url, statusCode: status), expectedByteCount: text.utf8.count))
                receive(.data(Data(text.utf8)))
            }
        }

        let exchanges = Observed<[Exchange]>([])
        private let onStart: @Sendable (Exchange) -> Void

        init(onStart: @escaping @Sendable (Exchange) -> Void = { _ in }) { self.onStart = onStart }

        func start(
            _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
        ) -> any CancellableTask {
            let exchange = Exchange(request, receive)
            onStart(exchange)
            exchanges.update { $0.append(exchange) }
            return exchange
        }

        func exchange(_ index: Int = 0) async throws -> Exchange {
            try await exchanges.wait { $0.count > index }[index]
        }
    }

    private func downloader(_ operation: Scripted) -> WebImageDownloader {
        let downloader = WebImageDownloader.direct()
        downloader.downloadOperation = operation
        return downloader
    }

    private let url = "http://picture.invalid/a"

    @Test("DL-5 the operation is read for each load: those that have begun keep theirs, and nil is libcurl")
    func replaced() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("libcurl"))
        let operation = Scripted()
        let downloader = downloader(operation)
        #expect(WebImageDownloader().downloadOperation == nil)
        let first = RecordedLoad(origin.url("/a"), by: downloader)
        let exchange = try await operation.exchange()
        downloader.downloadOperation = nil
        #expect(try await RecordedLoad(origin.url("/a"), by: downloader).response.data == Data("libcurl".utf8))
        exchange.respond("own")
        exchange.receive(.finished())
        #expect(try await first.response.data == Data("own".utf8))
    }

    @Test("A8 an operation may end before it has started")
    func endedWithinStart() async throws {
        let operation = Scripted {
            $0.respond("now")
            $0.receive(.finished())
        }
        let load = RecordedLoad(try parsed(url), by: downloader(operation))
        #expect(try await load.response.data == Data("now".utf8))
        #expect(load.hasEndedOnce)
        #expect(operation.exchanges.value.allSatisfy { !$0.isCancelled.value })
    }

    @Test("A14 what follows the end has no effect, from however many threads")
    func eventsAfterTheEnd() async throws {
        let operation = Scripted()
        let downloader = downloader(operation)
        let load = RecordedLoad(try parsed(url), by: downloader)
        let exchange = try await operation.exchange()
        exchange.respond("a")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    exchange.receive(.finished())
                    exchange.receive(.data(Data("late".utf8)))
                    exchange.receive(.finished(.cancelled()))
                }
            }
        }
        #expect(try await load.response.data == Data("a".utf8))
        try await downloader.settle()
        #expect(load.hasEndedOnce)
    }

    @Test("DL-30 an operation gets the finished request, and the priorities of those that wait")
    func request() async throws {
        let operation = Scripted()
        let downloader = downloader(operation)
        var request = ImageLoadRequest(url: try parsed("http://ann:secret@picture.invalid/a?b=1"), priority: .low)
        request.usesCookies = true
        request.timeout = .seconds(700)
        let load = RecordedLoad(request, by: downloader)
        let exchange = try await operation.exchange()
        #expect(exchange.request.url.absoluteString == "http://picture.invalid/a?b=1")
        #expect(exchange.request.method == "GET" && exchange.request.body == nil)
        #expect(exchange.request.credential == DownloadCredential(user: "ann", password: "secret"))
        #expect(exchange.request.usesCookies && !exchange.request.allowsInvalidCertificates)
        #expect(exchange.request.priority == .low && exchange.request.timeout == .seconds(700))
        load.setPriority(.high)
        let urgent = RecordedLoad(ImageLoadRequest(url: request.url, priority: .veryHigh), by: downloader)
        _ = try await exchange.priorities.wait { $0.count >= 1 }
        #expect(exchange.priorities.value.first == .high)
        urgent.cancel()
        exchange.respond("a")
        exchange.receive(.finished())
        #expect(try await load.response.data == Data("a".utf8))
    }

    @Test(
        "DL-30 an exchange is cancelled when no load waits, and when its response is refused", arguments: [true, false])
    func cancelled(byLoad: Bool) async throws {
        let operation = Scripted()
        let downloader = downloader(operation)
        downloader.config.maximumBodyByteCount = 10
        let load = RecordedLoad(try parsed(url), by: downloader)
        let exchange = try await operation.exchange()
        if byLoad { load.cancel() } else { exchange.respond("more than ten bytes") }
        #expect(await load.error?.code == (byLoad ? .cancelled : .limitExceeded))
        _ = try await exchange.isCancelled.wait { $0 }
        exchange.receive(.finished())
        try await downloader.settle()
        #expect(load.hasEndedOnce)
    }

    @Test("an operation without a response, or with data before it, is an error of its own")
    func noResponse() async throws {
        let events: [DownloadOperationEvent] = [.finished(), .data(Data("a".utf8))]
        for event in events {
            let operation = Scripted { $0.receive(event) }
            let error = try #require(await RecordedLoad(try parsed(url), by: downloader(operation)).error)
            #expect(error.code == .invalidDownloadOperation)
            #expect(error.reason.contains("download operation"))
        }
    }

    @Test("an operation's own error and its own times are those of the load")
    func ownErrorAndTimes() async throws {
        let failing = Scripted {
            $0.receive(.finished(WebImageError(.cannotConnect, stage: .load, kind: .transient, reason: "offline")))
        }
        let error = await RecordedLoad(try parsed(url), by: downloader(failing)).error
        #expect(error?.reason == "offline" && error?.url?.absoluteString == url)
        let timed = Scripted {
            $0.respond("a")
            $0.receive(.metrics(TransferMetrics(total: .seconds(42))))
            $0.receive(.finished())
        }
        let response = try await RecordedLoad(try parsed(url), by: downloader(timed)).response
        #expect(response.metrics?.total == .seconds(42))
    }
}
