import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloader", .timeLimit(.minutes(5)))
struct WebImageDownloaderTests {
    private let body = sampleBytes(50_000)

    @Test("DL-12 a body arrives whole, with the answer's head", arguments: [false, true])
    func plain(tls: Bool) async throws {
        let origin = try LoopbackOrigin(tls: tls)
        origin.serve("/a.jpg", OriginResponse(contentType: "image/jpeg", body: body).header("ETag", "\"1\""))
        let response = try await RecordedLoad(origin.url("/a.jpg"), by: WebImageDownloader.direct()).response
        #expect(response.data == body)
        #expect(response.http?.url == origin.url("/a.jpg"))
        #expect(response.http?.statusCode == 200)
        #expect(response.http?.mimeType == "image/jpeg")
        #expect(response.http?.header("etag") == "\"1\"")
    }

    @Test(
        "a body of any length arrives by any framing", arguments: [1, 15, 16_384, 16_385, 1_000_000, 20_000_000],
        [OriginResponse.Framing.contentLength, .chunked, .untilClose])
    func framing(count: Int, framing: OriginResponse.Framing) async throws {
        let origin = try LoopbackOrigin()
        var answer = OriginResponse(body: sampleBytes(count))
        answer.framing = framing
        origin.serve("/a", answer)
        #expect(try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response.data == answer.body)
    }

    @Test("connections are used again")
    func keepAlive() async throws {
        let origin = try LoopbackOrigin()
        let downloader = WebImageDownloader.direct()
        for number in 0..<20 {
            origin.serve("/\(number)", OriginResponse(body: body))
            #expect(try await RecordedLoad(origin.url("/\(number)"), by: downloader).response.data == body)
        }
        #expect(origin.connectionCount == 1)
    }

    @Test("a connection is used again after a refused answer with a short body")
    func keepAliveAfterRefusal() async throws {
        let origin = try LoopbackOrigin()
        let downloader = WebImageDownloader.direct()
        origin.serve("/404", .text("no such picture", status: 404))
        origin.serve("/200", .text("picture"))
        #expect(await RecordedLoad(origin.url("/404"), by: downloader).error?.statusCode == 404)
        _ = try await RecordedLoad(origin.url("/200"), by: downloader).response
        #expect(origin.connectionCount == 1)
    }

    @Test("a connection that the server closed meanwhile is replaced")
    func staleConnection() async throws {
        let origin = try RawOrigin([.receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")])
        let downloader = WebImageDownloader.direct()
        for path in ["/1", "/2", "/3"] {
            #expect(try await RecordedLoad(origin.url(path), by: downloader).response.data == Data("a".utf8))
        }
    }

    @Test("DL-13 A49 the default header fields ask for pictures and name the library")
    func defaultHeaders() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("x"))
        _ = try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response
        let request = try #require(origin.requests.first)
        #expect(request.header("accept") == "image/*,*/*;q=0.8")
        #expect(request.header("user-agent")?.hasPrefix("WebImage/") == true)
        #expect(request.header("accept-encoding")?.contains("gzip") == true)
        #expect(request.header("cookie") == nil)
    }

    @Test("DL-13 a request's fields replace the configured ones, in whatever case")
    func requestHeaders() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("x"))
        let downloader = WebImageDownloader.direct {
            $0.headers["X-Client"] = "config"
            $0.userAgent = ""
        }
        let request = ImageLoadRequest(url: origin.url("/a"), headers: ["ACCEPT": "image/webp", "X-Empty": ""])
        _ = try await RecordedLoad(request, by: downloader).response
        let seen = try #require(origin.requests.first)
        #expect(seen.header("accept") == "image/webp")
        #expect(seen.header("x-client") == "config")
        #expect(seen.header("x-empty") == "")
        #expect(seen.header("user-agent") == nil)
    }

    @Test("DL-13 the agent is the library in ASCII, and can be changed; a default field that is removed is not sent")
    func agent() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("x"))
        let downloader = WebImageDownloader.direct()
        #expect(downloader.config.userAgent.wholeMatch(of: /WebImage\/[0-9]+\.[0-9]+(\.[0-9]+)?.* \(Linux\)/) != nil)
        #expect(downloader.config.userAgent.utf8.allSatisfy { $0 < 128 })
        _ = try await RecordedLoad(origin.url("/a"), by: downloader).response
        downloader.config.headers["Accept"] = nil
        downloader.config.userAgent = "Gallery/2"
        _ = try await RecordedLoad(origin.url("/a"), by: downloader).response
        downloader.config.headers["User-Agent"] = "Own/3"
        _ = try await RecordedLoad(origin.url("/a"), by: downloader).response
        let agents = origin.requests.map { $0.header("user-agent") }
        #expect(agents == [WebImageDownloaderConfig().userAgent, "Gallery/2", "Own/3"])
        #expect(origin.requests.map { $0.header("accept") } == ["image/*,*/*;q=0.8", nil, nil])
    }

    @Test("DL-13 changed header fields go out with the next load")
    func liveHeaders() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("x"))
        let downloader = WebImageDownloader.direct()
        for value in ["one", "two"] {
            downloader.config.headers["X-Turn"] = value
            _ = try await RecordedLoad(origin.url("/a"), by: downloader).response
        }
        #expect(origin.requests.map { $0.header("x-turn") } == ["one", "two"])
    }

    @Test("a header field with the length of a body is not sent: a server would wait for one that does not come")
    func bodyLength() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: Data([1])))
        let request = ImageLoadRequest(
            url: origin.url("/a"), headers: ["Content-length": "5", "Transfer-Encoding": "chunked"])
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(origin.requests.first?.header("content-length") == nil)
        #expect(origin.requests.first?.header("transfer-encoding") == nil)
    }

    @Test("a header field that would forge another is refused", arguments: ["a\r\nX-Forged: 1", "a\nb", "a\u{0}b"])
    func forgedHeader(value: String) async throws {
        let origin = try LoopbackOrigin()
        let request = ImageLoadRequest(url: origin.url("/a"), headers: ["X-Name": value])
        let error = try #require(await RecordedLoad(request, by: WebImageDownloader.direct()).error)
        #expect(error.code == .invalidDownloadOperation)
        #expect(error.description.contains("X-Name"))
        #expect(origin.requests.isEmpty)
    }

    @Test(
        "C1 a body that came compressed arrives unpacked, with no length expected",
        arguments: [("gzip", PackedZeros.gzip), ("br", PackedZeros.brotli)])
    func encoded(coding: String, base64: String) async throws {
        let origin = try LoopbackOrigin()
        let packed = try #require(Data(base64Encoded: base64))
        origin.serve("/a", OriginResponse(contentType: "image/bmp", body: packed).encoded(as: coding))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        let data = try await load.response.data
        #expect(data == Data(count: PackedZeros.count))
        #expect(load.progress.allSatisfy { $0.expectedByteCount == nil })
        #expect(load.progress.last?.receivedByteCount == data.count)
    }

    @Test("C5 redirects are followed, and the answer says where it came from", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/old", .redirect(to: "/new?x=1", status: status).header("X-Only", "redirect"))
        origin.serve("/new", OriginResponse(body: body))
        let response = try await RecordedLoad(origin.url("/old"), by: WebImageDownloader.direct()).response
        #expect(response.data == body)
        #expect(response.http?.url == origin.url("/new?x=1"))
        #expect(response.http?.statusCode == 200)
        #expect(response.http?.header("x-only") == nil)
    }

    @Test("C4 credentials in an address go out after a challenge only, and not to another host")
    func credentials() async throws {
        let origin = try LoopbackOrigin()
        let elsewhere = origin.url("/elsewhere", host: "localhost")
        origin.serve("/elsewhere", .text("x"))
        origin.serve("/secret") { request in
            guard request.header("authorization") == nil else { return .redirect(to: elsewhere.absoluteString) }
            return OriginResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")])
        }
        let url = try parsed("http://user:word@127.0.0.1:\(origin.port)/secret")
        _ = try await RecordedLoad(url, by: WebImageDownloader.direct()).response
        let sent = origin.requests.map { $0.header("authorization") != nil }
        #expect(sent == [false, true, false])
        #expect(origin.requestCount("/elsewhere") == 1)
    }

    @Test("C4 an Authorization field is not sent to another host")
    func authorizationField() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/here", .redirect(to: origin.url("/there", host: "localhost").absoluteString))
        origin.serve("/there", .text("x"))
        let request = ImageLoadRequest(
            url: origin.url("/here"), headers: ["Authorization": "Bearer secret", "Cookie": "id=secret"])
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(origin.requests.map { $0.header("authorization") } == ["Bearer secret", nil])
        #expect(origin.requests.map { $0.header("cookie") } == ["id=secret", nil])
    }

    @Test("credentials that are refused are not sent again and again")
    func refusedCredentials() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/", OriginResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")]))
        let url = try parsed("http://user:word@127.0.0.1:\(origin.port)/")
        #expect(await RecordedLoad(url, by: WebImageDownloader.direct()).error?.statusCode == 401)
        #expect(origin.requests.count == 2)
    }

    @Test("a configured proxy is asked instead of the host, and gets no credentials for it")
    func proxy() async throws {
        let proxy = try RawOrigin([.receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")])
        let downloader = WebImageDownloader.direct { $0.proxy = "http://127.0.0.1:\(proxy.port)" }
        let url = try parsed("http://no-such-host.invalid/a.jpg")
        #expect(try await RecordedLoad(url, by: downloader).response.data == Data("a".utf8))
        let head = try #require(proxy.receivedHeads.first)
        #expect(head.hasPrefix("GET http://no-such-host.invalid/a.jpg HTTP/1.1\r\n"))
        #expect(!head.lowercased().contains("authorization"))
    }

    @Test("a tunnelling proxy gets the host and the library's name, and nothing that is meant for the host")
    func tunnel() async throws {
        let proxy = try RawOrigin([.receiveHead, .send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")])
        let downloader = WebImageDownloader.direct { $0.proxy = "http://127.0.0.1:\(proxy.port)" }
        var request = ImageLoadRequest(
            url: try parsed("https://no-such-host.invalid/a.jpg"),
            headers: ["Authorization": "Bearer secret", "X-Own": "1"])
        request.credential = DownloadCredential(user: "ann", password: "secret")
        request.usesCookies = true
        _ = try #require(await RecordedLoad(request, by: downloader).error)
        let head = try #require(proxy.receivedHeads.first).lowercased()
        #expect(head.hasPrefix("connect no-such-host.invalid:443 http/1.1\r\n"))
        #expect(head.contains("user-agent: webimage/"))
        for word in ["authorization", "secret", "x-own", "cookie", "a.jpg"] { #expect(!head.contains(word)) }
    }

    @Test("a proxy whose name has no address is named in the error")
    func unknownProxy() async throws {
        let downloader = WebImageDownloader.direct { $0.proxy = "http://no-such-proxy.invalid:3128" }
        let error = try #require(await RecordedLoad(try parsed("http://127.0.0.1:1/"), by: downloader).error)
        #expect(error.code == .cannotFindHost)
        #expect(error.reason.contains("proxy"))
    }

    @Test("DL-31 the schemes are http and https, in whatever case")
    func schemes() async throws {
        let downloader = WebImageDownloader.direct()
        for text in ["http://a/b", "https://a/b", "HTTPS://a/b"] { #expect(downloader.canLoad(try parsed(text))) }
        for text in ["ftp://a/b", "file:///a", "data:,a", "a/b"] { #expect(!downloader.canLoad(try parsed(text))) }
        let error = await RecordedLoad(try parsed("ftp://a/b"), by: downloader).error
        #expect(error?.code == .unsupportedScheme)
    }

    @Test("DL-29 the loads under way are counted, and none is left when all have ended")
    func currentCount() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        let downloader = WebImageDownloader.direct()
        #expect(downloader.currentDownloadCount == 0)
        let loads = (0..<3).map { _ in RecordedLoad(origin.url("/a"), by: downloader) }
        #expect(downloader.currentDownloadCount == 3)
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("settings out of range become the nearest")
    func clampedConfig() {
        var config = WebImageDownloaderConfig()
        config.maxConcurrentDownloads = 0
        config.maxConnectionsPerHost = -1
        config.downloadTimeout = .zero
        config.connectTimeout = .seconds(-1)
        config.minimumProgressInterval = .seconds(7)
        config.maxRedirectCount = -1
        #expect(config.maxConcurrentDownloads == 1)
        #expect(config.maxConnectionsPerHost == 1)
        #expect(config.downloadTimeout == .seconds(15))
        #expect(config.connectTimeout == .seconds(15))
        #expect(config.minimumProgressInterval == .seconds(1))
        #expect(config.maxRedirectCount == 0)
    }

    @Test("DL-1 DL-2 the defaults are SDWebImage's")
    func defaults() {
        let config = WebImageDownloaderConfig()
        #expect(WebImageDownloader() !== WebImageDownloader.shared)
        #expect(config.maxConcurrentDownloads == 6)
        #expect(config.downloadTimeout == .seconds(15))
        #expect(config.minimumProgressInterval == .zero)
        #expect(config.executionOrder == .firstInFirstOut)
        #expect(config.acceptableStatusCodes == Set(200...299))
        #expect(config.acceptableContentTypes == nil)
    }
}
