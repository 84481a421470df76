import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads that fail", .timeLimit(.minutes(5)))
struct DownloadFailureTests {
    private let body = sampleBytes(50_000)

    private func error(
        _ url: URL, by downloader: WebImageDownloader = .direct()
    ) async throws -> WebImageError {
        let load = RecordedLoad(url, by: downloader)
        let error = try #require(await load.error)
        #expect(load.hasEndedOnce)
        #expect(error.url == url)
        #expect(!error.description.contains("\n"))
        return error
    }

    @Test(
        "B2 DL-33 a status other than success is an error with that status",
        arguments: [400, 401, 403, 404, 410, 501, 505])
    func status(status: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("sorry", status: status))
        let error = try await error(origin.url("/a"))
        #expect(error.code == .invalidDownloadStatusCode)
        #expect(error.statusCode == status)
        #expect(error.response?.statusCode == status)
        #expect(error.response?.url == origin.url("/a"))
        #expect(error.response?.mimeType == "text/plain")
        #expect(error.kind == .permanent)
        #expect(error.reason.contains("\(status) "))
        #expect(!WebImageDownloader.shared.shouldBlockFailedURL(origin.url("/a"), error: error))
    }

    @Test("a status that may change is transient", arguments: [408, 425, 429, 500, 502, 503, 504])
    func transientStatus(status: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .status(status))
        #expect(try await error(origin.url("/a")).kind == .transient)
    }

    @Test("DL-33 A45 304 means that nothing has changed")
    func notModified() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .status(304))
        let error = try await error(origin.url("/a"))
        #expect(error.code == .cacheNotModified)
        #expect(error.statusCode == 304)
    }

    @Test("DL-10 the statuses of success can be chosen; an empty set accepts all")
    func acceptableStatus() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/200", .text("x"))
        origin.serve("/404", .text("x", status: 404))
        let only404 = WebImageDownloader.direct { $0.acceptableStatusCodes = [404] }
        #expect(try await error(origin.url("/200"), by: only404).statusCode == 200)
        _ = try await RecordedLoad(origin.url("/404"), by: only404).response
        let all = WebImageDownloader.direct { $0.acceptableStatusCodes = nil }
        #expect(try await RecordedLoad(origin.url("/404"), by: all).response.http?.statusCode == 404)
    }

    @Test("DL-11 a media type that is not accepted is an error; a missing one is accepted")
    func acceptableType() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/html", .text("<html>", contentType: "text/html; charset=utf-8"))
        origin.serve("/none", OriginResponse(body: body))
        let downloader = WebImageDownloader.direct { $0.acceptableContentTypes = ["image/png"] }
        let error = try await error(origin.url("/html"), by: downloader)
        #expect(error.code == .invalidDownloadContentType)
        #expect(error.kind == .transient)
        #expect(error.reason.contains("text/html"))
        #expect(error.response?.mimeType == "text/html")
        #expect(error.statusCode == 200)
        _ = try await RecordedLoad(origin.url("/none"), by: downloader).response
    }

    @Test("DL-33 A48 an empty body is an error", arguments: [200, 204])
    func emptyBody(status: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .status(status))
        let error = try await error(origin.url("/a"))
        #expect(error.code == .badImageData)
        #expect(error.kind == .transient)
        #expect(error.reason.contains("empty"))
        #expect(error.response?.statusCode == status)
    }

    @Test("a redirect that comes back is given up after the limit")
    func redirectLoop() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/loop", .redirect(to: "/loop"))
        let error = try await error(origin.url("/loop"), by: .direct { $0.maxRedirectCount = 3 })
        #expect(error.code == .tooManyRedirects)
        #expect(error.kind == .permanent)
        #expect(error.reason.contains("3"))
        #expect(origin.requestCount("/loop") == 4)
    }

    @Test("ten redirects are followed by default, eleven are not", arguments: [10, 11])
    func redirectLimit(count: Int) async throws {
        let origin = try LoopbackOrigin()
        for number in 0..<count { origin.serve("/\(number)", .redirect(to: "/\(number + 1)")) }
        origin.serve("/\(count)", .text("x"))
        let error = await RecordedLoad(origin.url("/0"), by: WebImageDownloader.direct()).error
        #expect(error?.code == (count == 10 ? nil : .tooManyRedirects))
    }

    @Test("a redirect away from the web is refused", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "data:,x"])
    func redirectToOtherScheme(target: String) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .redirect(to: target))
        let error = try await error(origin.url("/a"))
        #expect(error.code == .unsupportedScheme)
        #expect(error.kind == .permanent)
        #expect(error.reason.contains(target.prefix { $0 != ":" }))
    }

    @Test("no server at the port")
    func refused() async throws {
        let port = try UnusedPort()
        let url = try parsed("http://127.0.0.1:\(port.number)/a.jpg")
        let error = try await error(url)
        #expect(error.code == .cannotConnect)
        #expect(error.kind == .transient)
        #expect(error.reason == "nothing answers at 127.0.0.1 port \(port.number); check that the server is running")
    }

    @Test("A42 a host that does not exist is transient and not blocked")
    func unknownHost() async throws {
        let url = try parsed("http://no-such-host.invalid/a.jpg")
        let error = try await error(url)
        #expect(error.code == .cannotFindHost)
        #expect(error.kind == .transient)
        #expect(error.reason.contains("no-such-host.invalid"))
        #expect(!WebImageDownloader.shared.shouldBlockFailedURL(url, error: error))
    }

    @Test("an address without a host", arguments: ["http://", "http:///a.jpg", "http://127.0.0.1:99999/a"])
    func malformed(address: String) async throws {
        let url = try parsed(address)
        let error = try await error(url)
        #expect(error.code == .invalidURL)
        #expect(WebImageDownloader.shared.shouldBlockFailedURL(url, error: error))
    }

    @Test("a very long address is the server's to refuse; one of a mebibyte is refused here")
    func longAddress() async throws {
        let origin = try LoopbackOrigin()
        let long = try await error(origin.url("/" + String(repeating: "a", count: 900_000)))
        #expect([.invalidDownloadStatusCode, .connectionLost].contains(long.code), "\(long)")
        let longer = try await error(origin.url("/" + String(repeating: "a", count: 1 << 20)))
        #expect(longer.code == .invalidURL)
        #expect(longer.description.utf8.count < 400)
    }

    @Test("a body that ends too early is a lost connection", arguments: [0, 1, 20_000])
    func truncated(count: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/length", OriginResponse(body: body).closed(afterBytes: count))
        origin.serve("/reset", OriginResponse(body: body).reset(afterBytes: count))
        origin.serve("/chunked", OriginResponse(body: body).chunked(1000).closed(afterBytes: count))
        for path in ["/length", "/reset", "/chunked"] {
            let error = try await error(origin.url(path))
            #expect(error.code == .connectionLost, "\(path)")
            #expect(error.kind == .transient)
            #expect(count == 0 || path == "/reset" || error.response?.statusCode == 200)
        }
        #expect(try await error(origin.url("/length")).reason.contains("after \(count) of 50000 bytes"))
    }

    @Test("a Content-Length that promises more than comes is a lost connection")
    func longContentLength() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body).contentLength(60_000))
        #expect(try await error(origin.url("/a")).code == .connectionLost)
    }

    @Test("a Content-Length that promises less than comes ends the body where it says")
    func shortContentLength() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body).contentLength(1000))
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct())
        #expect(try await load.response.data == body.prefix(1000))
    }

    @Test("a Content-Length of exabytes reserves no memory and is over the limit")
    func hostileContentLength() async throws {
        let origin = try RawOrigin([
            .receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\nab"),
        ])
        #expect(try await error(origin.url("/")).code == .limitExceeded)
        let unlimited = WebImageDownloader.direct { $0.maximumBodyByteCount = .max }
        #expect(try await error(origin.url("/"), by: unlimited).code == .connectionLost)
    }

    @Test("a body over the limit is refused, whether its length was announced or not", arguments: [false, true])
    func bodyLimit(chunked: Bool) async throws {
        let origin = try LoopbackOrigin()
        let answer = OriginResponse(body: body)
        origin.serve("/a", chunked ? answer.chunked(1000) : answer)
        let error = try await error(origin.url("/a"), by: .direct { $0.maximumBodyByteCount = 49_999 })
        #expect(error.code == .limitExceeded)
        #expect(error.kind == .policy)
        #expect(error.reason.contains("49999") && error.reason.contains("maximumBodyByteCount"))
        let enough = WebImageDownloader.direct { $0.maximumBodyByteCount = 50_000 }
        #expect(try await RecordedLoad(origin.url("/a"), by: enough).response.data == body)
    }

    @Test("a small body that unpacks to more than the limit is refused")
    func packedBomb() async throws {
        let origin = try LoopbackOrigin()
        let packed = try #require(Data(base64Encoded: PackedZeros.brotli))
        origin.serve("/a", OriginResponse(body: packed).encoded(as: "br"))
        let error = try await error(origin.url("/a"), by: .direct { $0.maximumBodyByteCount = 10_000 })
        #expect(error.code == .limitExceeded)
    }

    @Test("a body whose encoding cannot be undone is an error", arguments: ["gzip", "br", "compress"])
    func brokenEncoding(coding: String) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: body).encoded(as: coding))
        #expect(try await error(origin.url("/a")).code == .invalidDownloadResponse)
    }

    @Test("an answer that is not HTTP", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "<html>hello</html>"])
    func notHTTP(answer: String) async throws {
        let origin = try RawOrigin([.receiveHead, .send(answer)])
        let error = try await error(origin.url("/"))
        #expect(error.code == .invalidDownloadResponse)
        #expect(error.reason.contains("not HTTP"))
    }

    @Test("a server that hangs up without a word")
    func emptyReply() async throws {
        let origin = try RawOrigin([.receiveHead])
        let error = try await error(origin.url("/"))
        #expect(error.code == .connectionLost)
        #expect(error.reason.contains("without an answer"))
    }

    @Test("C6 a server that goes silent is given up after the request's time-out", arguments: [-1, 0, 1000])
    func stalled(count: Int) async throws {
        let origin = try LoopbackOrigin()
        let answer = OriginResponse(body: body)
        origin.serve("/a", count < 0 ? answer.held(by: Gate()) : answer.stalling(afterBytes: count))
        let load = RecordedLoad(
            ImageLoadRequest(url: origin.url("/a"), timeout: .seconds(0.2)), by: WebImageDownloader.direct())
        let error = try #require(await load.error)
        #expect(error.code == .timedOut)
        #expect(error.kind == .transient)
        #expect(error.reason.contains("0.2 s"))
        #expect(load.hasEndedOnce)
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
    }

    @Test("C6 a body that keeps coming outlasts the time-out")
    func slowButSteady() async throws {
        let origin = try LoopbackOrigin()
        // It takes three seconds.
        origin.serve("/a", OriginResponse(body: body).limited(toBytesPerSecond: body.count / 3))
        let load = RecordedLoad(
            ImageLoadRequest(url: origin.url("/a"), timeout: .seconds(2)), by: WebImageDownloader.direct())
        #expect(try await load.response.data == body)
    }

    @Test("C6 of two loads that share a transfer, only the one with the shorter time-out gives up")
    func impatientSubscriber() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let patient = RecordedLoad(origin.url("/a"), by: downloader)
        let impatient = RecordedLoad(ImageLoadRequest(url: origin.url("/a"), timeout: .seconds(0.1)), by: downloader)
        #expect(await impatient.error?.code == .timedOut)
        gate.open()
        #expect(try await patient.response.data == body)
        #expect(origin.requests.count == 1)
    }

    @Test("a certificate without a trusted issuer")
    func untrusted() async throws {
        let origin = try LoopbackOrigin(tls: true)
        let error = try await error(origin.url("/a"), by: .direct { $0.caCertificateFile = nil })
        #expect(error.code == .secureConnectionFailed)
        #expect(error.kind == .permanent)
        #expect(error.reason.contains("127.0.0.1 port \(origin.port)"))
        #expect(WebImageDownloader.shared.shouldBlockFailedURL(origin.url("/a"), error: error))
        #expect(origin.requests.isEmpty)
    }

    @Test("DL-33 an error without an answer names none")
    func noResponse() async throws {
        let origin = try RawOrigin([.receiveHead])
        #expect(try await error(origin.url("/")).response == nil)
    }

    @Test("a file of authorities that is not there")
    func missingAuthorities() async throws {
        let origin = try LoopbackOrigin(tls: true)
        let error = try await error(origin.url("/a"), by: .direct { $0.caCertificateFile = "/nowhere/ca.pem" })
        #expect(error.code == .secureConnectionFailed)
        #expect(error.reason.contains("/nowhere/ca.pem"))
    }

    @Test("https asked of a server that speaks http")
    func tlsOfPlainServer() async throws {
        let origin = try LoopbackOrigin()
        let url = try parsed("https://127.0.0.1:\(origin.port)/a")
        let error = try await error(url)
        #expect(error.code == .secureConnectionFailed)
        #expect(error.kind == .transient)
        #expect(!WebImageDownloader.shared.shouldBlockFailedURL(url, error: error))
    }
}
