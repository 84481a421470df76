import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Limits of transfers", .timeLimit(.minutes(5)))
struct TransferLimitTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    private static let flood = String(repeating: "a", count: 64 << 10)

    private func error(
        _ script: [RawOrigin.Step], _ change: (inout WebImageDownloaderConfig) -> Void = { _ in }
    ) async throws -> WebImageError {
        let origin = try RawOrigin(script)
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct(change))
        return try #require(await load.error)
    }

    // MARK: Bodies that nobody wants

    @Test("the body of a redirect has a limit, and does not keep the load from following it", arguments: [false, true])
    func endlessRedirect(isChunked: Bool) async throws {
        let framing = isChunked ? "Transfer-Encoding: chunked\r\n" : ""
        let flood = isChunked ? "10000\r\n\(Self.flood)\r\n" : Self.flood
        let origin = try RawOrigin(scripts: [
            [.receiveHead, .send("HTTP/1.1 302 Found\r\nLocation: /b\r\n\(framing)\r\n"), .repeatedly(flood)],
            [.receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")],
        ])
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        #expect(try await load.response.data == Data("a".utf8))
        #expect(origin.receivedHeads.count == 2)
    }

    @Test("the body of an error has a limit, and so has that of a challenge", arguments: [404, 401, 503])
    func endlessError(status: Int) async throws {
        let challenge = "WWW-Authenticate: Basic realm=\"a\"\r\n"
        let origin = try RawOrigin([
            .receiveHead, .send("HTTP/1.1 \(status) No\r\n\(challenge)\r\n"), .repeatedly(Self.flood),
        ])
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.credential = DownloadCredential(user: "ann", password: "secret")
        let error = try #require(await RecordedLoad(request, by: WebImageDownloader.direct()).error)
        #expect(error.code == .invalidDownloadStatusCode)
        #expect(error.statusCode == status)
    }

    // MARK: Time

    @Test("a body that drips is given up for its speed, and the error says how slow it was")
    func drip() async throws {
        let script = [RawOrigin.Step.receiveHead, .send(Self.head), .repeatedly("a", every: .milliseconds(20))]
        let error = try await error(script) {
            // The window is no shorter: longer than the pauses that a busy machine puts between two bytes.
            $0.downloadTimeout = .seconds(2)
            $0.minimumSpeed = .init(bytesPerSecond: 1000, window: .seconds(0.4))
        }
        #expect(error.code == .timedOut)
        #expect(error.kind == .transient)
        #expect(error.reason.contains("minimumSpeed") && error.reason.contains("1000 bytes a second"), "\(error)")
    }

    @Test("the default speed is that of the slowest honest connection, over more than the time-out")
    func defaultSpeed() {
        let config = WebImageDownloaderConfig()
        #expect(config.minimumSpeed == .init(bytesPerSecond: 100, window: .seconds(30)))
        #expect(config.totalTimeout == .seconds(3600))
        #expect(config.maximumExpansionRatio == 100)
    }

    @Test("interim answers, however many, are no answer")
    func interimAnswers() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
        let script = [RawOrigin.Step.receiveHead, .repeatedly(hint, every: .milliseconds(20))]
        let error = try await error(script) { $0.downloadTimeout = .seconds(0.4) }
        #expect(error.code == .timedOut)
        #expect(error.reason.contains("no complete head of an answer came for 0.4 s"), "\(error)")
    }

    @Test("an answer after interim ones is the answer")
    func answerAfterHints() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
        let origin = try RawOrigin([
            .receiveHead, .send(hint + hint + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
        ])
        let response = try await RecordedLoad(origin.url(), by: WebImageDownloader.direct()).response
        #expect(response.http?.statusCode == 200 && response.http?.header("link") == nil)
    }

    @Test("a head that drips is no silence, and the error does not call it so")
    func drippingHead() async throws {
        let script = [RawOrigin.Step.receiveHead, .drip(Self.head, every: .milliseconds(100)), .stall]
        let error = try await error(script) { $0.downloadTimeout = .seconds(1) }
        #expect(error.code == .timedOut)
        #expect(error.reason.contains("no complete head of an answer"), "\(error)")
    }

    @Test("a transfer as a whole has a limit of time")
    func totalTime() async throws {
        let script = [
            RawOrigin.Step.receiveHead, .send("HTTP/1.1 200 OK\r\n\r\n"),
            .repeatedly(String(repeating: "a", count: 1000), every: .milliseconds(10)),
        ]
        let error = try await error(script) { $0.totalTimeout = .seconds(0.3) }
        #expect(error.code == .timedOut)
        #expect(error.reason.contains("0.3 s") && error.reason.contains("totalTimeout"), "\(error)")
    }

    @Test("the limit of time is that of all redirects together")
    func totalTimeOfRedirects() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return .redirect(to: "/\(number + 1)").delayed(by: .milliseconds(30))
        }
        let downloader = WebImageDownloader.direct {
            $0.maxRedirectCount = 1_000_000
            $0.totalTimeout = .seconds(2)
        }
        #expect(await RecordedLoad(origin.url("/0"), by: downloader).error?.code == .timedOut)
        #expect(origin.requests.count > 1)
    }

    // MARK: Sizes

    @Test("a compressed body that grows too much is refused before it has grown")
    func bomb() async throws {
        let origin = try LoopbackOrigin()
        let packed = try #require(Data(base64Encoded: PackedZeros.twentyMegabytes))
        origin.serve("/a", OriginResponse(body: packed).encoded(as: "br"))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        let error = try #require(await load.error)
        #expect(error.code == .limitExceeded)
        #expect(error.kind == .policy)
        #expect(error.reason.contains("maximumExpansionRatio"), "\(error)")
        #expect(load.progress.allSatisfy { $0.receivedByteCount < 14_000_000 })
        let all = WebImageDownloader.direct { $0.maximumExpansionRatio = nil }
        #expect(try await RecordedLoad(origin.url("/a"), by: all).response.data.count == 20_000_000)
    }

    @Test("a body that is compressed twice counts with what it is at last")
    func doubleBomb() async throws {
        let origin = try LoopbackOrigin()
        let packed = try #require(Data(base64Encoded: PackedZeros.twice))
        origin.serve("/a", OriginResponse(body: packed).header("Content-Encoding", "br, br"))
        let error = try #require(await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).error)
        #expect(error.code == .limitExceeded)
    }

    @Test("a line of the head over libcurl's limit is called that")
    func longHeaderLine() async throws {
        let line = "X-Long: " + String(repeating: "a", count: 150_000)
        let error = try await error([
            .receiveHead, .send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 1\r\n\r\na"),
        ])
        #expect(error.code == .limitExceeded)
        #expect(error.kind == .policy)
        #expect(error.reason.contains("header fields"), "\(error)")
    }

    // MARK: Answers that contradict themselves

    @Test("two lengths that differ are refused, two that are equal are one", arguments: [("2", "3"), ("2", "2")])
    func twoLengths(first: String, second: String) async throws {
        let origin = try RawOrigin([
            .receiveHead,
            .send("HTTP/1.1 200 OK\r\nContent-Length: \(first)\r\nContent-Length: \(second)\r\n\r\nab"),
        ])
        let load = RecordedLoad(origin.url(), by: WebImageDownloader.direct())
        guard first != second else {
            #expect(try await load.response.data == Data("ab".utf8))
            return
        }
        let error = try #require(await load.error)
        #expect(error.code == .invalidDownloadResponse)
        #expect(error.reason.contains("Content-Length"), "\(error)")
    }

    @Test(
        "broken chunks are called that, and the error has the answer's status", arguments: ["XYZ\r\n", "2\r\nab!!\r\n"])
    func brokenChunks(body: String) async throws {
        let error = try await error([
            .receiveHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"), .stall,
        ])
        #expect(error.code == .invalidDownloadResponse)
        #expect(error.statusCode == 200)
        #expect(error.reason.contains("chunks"), "\(error)")
    }

    @Test("chunks without an end are a lost connection, after the answer came")
    func endlessChunk() async throws {
        let error = try await error([
            .receiveHead, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
        ])
        #expect(error.code == .connectionLost)
        #expect(error.statusCode == 200)
        #expect(!error.reason.contains("before the answer came"), "\(error)")
    }

    @Test("a host is shown as people write it")
    func internationalHost() async throws {
        let url = try parsed("http://bücher.invalid/a.png")
        let error = try #require(await RecordedLoad(url, by: WebImageDownloader.direct()).error)
        #expect(error.code == .cannotFindHost)
        // Foundation writes it as the DNS does, where it is linked as a whole.
        let names = ["bücher.invalid", "xn--bcher-kva.invalid"]
        #expect(names.contains { error.reason.contains($0) }, "\(error)")
        #expect(!error.reason.contains("%"))
    }
}
