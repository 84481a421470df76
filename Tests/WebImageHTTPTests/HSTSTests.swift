import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// The origin has the same port for http as for https: an address with `http:` is answered only by a connection with TLS.
@Suite("Hosts that want https", .timeLimit(.minutes(5)))
struct HSTSTests {
    private let origin: LoopbackOrigin
    private let downloader = WebImageDownloader.direct()

    init() throws {
        origin = try LoopbackOrigin(tls: true)
        origin.serve("/wish", Self.answer("max-age=1000"))
        origin.fallback = { _ in .text("x") }
    }

    private static func answer(_ wish: String) -> OriginResponse {
        OriginResponse.text("x").header("Strict-Transport-Security", wish)
    }

    private func plain(_ path: String, host: String = "localhost") throws -> URL {
        try parsed("http://\(host):\(origin.port)\(path)")
    }

    /// Loads the wish of localhost.
    private func learn(_ path: String = "/wish", by downloader: WebImageDownloader) async throws {
        _ = try await RecordedLoad(origin.url(path, host: "localhost"), by: downloader).response
    }

    /// The address of the answer counts: newer versions of libcurl reuse connections with TLS for `http:` and the same
    /// port.
    private func asksByHTTPS(_ downloader: WebImageDownloader, host: String = "localhost") async throws -> Bool {
        let load = RecordedLoad(try plain("/a", host: host), by: downloader)
        return await (try? load.response)?.http?.url.scheme == "https"
    }

    @Test("a host that has asked for https is asked by https, by this downloader and by no other")
    func upgrade() async throws {
        #expect(try await !asksByHTTPS(downloader))
        try await learn(by: downloader)
        let response = try await RecordedLoad(try plain("/a"), by: downloader).response
        #expect(response.http?.url == origin.url("/a", host: "localhost"))
        #expect(try await !asksByHTTPS(WebImageDownloader.direct()))
        #expect(try await !asksByHTTPS(downloader, host: "127.0.0.1"))
    }

    @Test("the next downloader knows it from the file, and so does curl")
    func file() async throws {
        let directory = try CacheDirectory()
        let file = directory.path + "/hsts"
        try await learn(by: WebImageDownloader.direct { $0.hstsFile = file })
        #expect(try await asksByHTTPS(WebImageDownloader.direct { $0.hstsFile = file }))
        let curl = try await Curl.run(
            "--hsts", file, "--cacert", TestCertificates.authorityPath, try plain("/curl").absoluteString)
        #expect(curl.status == 0 && curl.text == "x")
    }

    @Test("what curl has learned counts, too")
    func fileOfCurl() async throws {
        let directory = try CacheDirectory()
        let file = directory.path + "/hsts"
        let curl = try await Curl.run(
            "--hsts", file, "--cacert", TestCertificates.authorityPath,
            origin.url("/wish", host: "localhost").absoluteString)
        #expect(curl.status == 0)
        #expect(try await asksByHTTPS(WebImageDownloader.direct { $0.hstsFile = file }))
    }

    @Test("a file that cannot be kept fails loads, and the error names it")
    func unusableFile() async throws {
        let downloader = WebImageDownloader.direct { $0.hstsFile = "/dev/null/hsts" }
        let error = try #require(await RecordedLoad(origin.url("/a"), by: downloader).error)
        #expect(error.code == .fileFailed)
        #expect(error.reason.contains("/dev/null/hsts") && error.reason.contains("hstsFile"), "\(error)")
        #expect(origin.requests.isEmpty)
    }

    @Test("a load that accepts any certificate adds no host, and asks by https where that is known")
    func lenientLoad() async throws {
        var request = ImageLoadRequest(url: origin.url("/wish", host: "localhost"))
        request.allowsInvalidCertificates = true
        _ = try await RecordedLoad(request, by: downloader).response
        #expect(try await !asksByHTTPS(downloader))
        try await learn(by: downloader)
        request.url = try plain("/a")
        #expect(try await RecordedLoad(request, by: downloader).response.http?.url.scheme == "https")
    }

    @Test("neither http, nor an IP address, nor an app adds a host")
    func noWish() async throws {
        let open = try LoopbackOrigin()
        open.fallback = { _ in Self.answer("max-age=1000") }
        for _ in 0..<2 {
            let url = open.url("/a", host: "localhost")
            #expect(try await RecordedLoad(url, by: downloader).response.http?.url == url)
        }
        _ = try await RecordedLoad(origin.url("/wish"), by: downloader).response
        #expect(try await !asksByHTTPS(downloader, host: "127.0.0.1"))
        downloader.responseModifier = WebImageDownloaderResponseModifier(
            headers: ["Strict-Transport-Security": "max-age=1000"])
        try await learn("/a", by: downloader)
        #expect(try await !asksByHTTPS(downloader))
    }

    @Test("a host may take its wish back, and extend it to those below it")
    func changedWish() async throws {
        origin.serve("/back", Self.answer("max-age=0"))
        origin.serve("/all", Self.answer("max-age=1000; includeSubDomains"))
        try await learn(by: downloader)
        try await learn("/back", by: downloader)
        #expect(try await !asksByHTTPS(downloader))
        try await learn("/all", by: downloader)
        // The certificate has no such name, which is found by asking by https only.
        let error = try #require(await RecordedLoad(try plain("/a", host: "sub.localhost"), by: downloader).error)
        #expect(error.code == .secureConnectionFailed)
    }

    @Test("the wish of a redirect, of an error and of a load that is cancelled counts", arguments: [302, 404, 200])
    func everyAnswer(status: Int) async throws {
        let (gate, target) = (Gate(), try plain("/b").absoluteString)
        let answer = OriginResponse(
            status: status, headers: [("Strict-Transport-Security", "max-age=1000"), ("Location", target)],
            body: sampleBytes(5000))
        origin.serve("/first", status == 200 ? answer.held(by: gate, afterBytes: 4000) : answer)
        let load = RecordedLoad(origin.url("/first", host: "localhost"), by: downloader)
        if status == 200 {
            await load.waitForProgress { $0.receivedByteCount > 0 }
            load.cancel()
        }
        _ = await load.error
        gate.open()
        #expect(try await asksByHTTPS(downloader))
    }

    @Test("a redirect to http of such a host stays secure: it is followed by a load with secrets, which it keeps")
    func redirect() async throws {
        origin.serve(
            "/from",
            .redirect(to: try plain("/to").absoluteString).header("Strict-Transport-Security", "max-age=1000"))
        var request = ImageLoadRequest(url: origin.url("/from", host: "localhost"))
        request.headers["Authorization"] = "Bearer secret"
        let response = try await RecordedLoad(request, by: downloader).response
        #expect(response.http?.url == origin.url("/to", host: "localhost"))
        #expect(origin.requests.map { $0.header("authorization") } == ["Bearer secret", "Bearer secret"])
    }

    @Test("cookies and pinned keys are those of https")
    func secrets() async throws {
        origin.serve("/wish", Self.answer("max-age=1000").cookie("id", "1", attributes: "Path=/; Secure"))
        for path in ["/wish", "/a"] {
            var request = ImageLoadRequest(url: path == "/a" ? try plain(path) : origin.url(path, host: "localhost"))
            request.usesCookies = true
            _ = try await RecordedLoad(request, by: downloader).response
        }
        #expect(origin.requests.last?.cookies == ["id": "1"])
        downloader.config.pinnedPublicKeys = ["localhost": []]
        #expect(await RecordedLoad(try plain("/b"), by: downloader).error?.code == .secureConnectionFailed)
    }

    @Test("an app's download operation gets the address by https")
    func operation() async throws {
        final class Recorder: DownloadOperation {
            let addresses = Mutex<[URL]>([])
            func start(
                _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
            ) -> any CancellableTask {
                addresses.withLock { $0.append(request.url) }
                let fields = ["Strict-Transport-Security": "max-age=1000"]
                receive(.response(HTTPResponse(url: request.url, statusCode: 200, headers: fields)))
                receive(.data(Data("x".utf8)))
                receive(.finished())
                return EndedTask()
            }
        }
        final class EndedTask: CancellableTask { func cancel() {} }
        let recorder = Recorder()
        downloader.downloadOperation = recorder
        for address in ["http://a.example/1", "https://a.example/2", "http://a.example/3"] {
            _ = try await RecordedLoad(try parsed(address), by: downloader).response
        }
        let expected = ["http://a.example/1", "https://a.example/2", "https://a.example/3"]
        #expect(recorder.addresses.withLock { $0.map(\.absoluteString) } == expected)
    }
}
