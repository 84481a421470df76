import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Download modifiers", .timeLimit(.minutes(5)))
struct DownloadModifierTests {
    private let origin: LoopbackOrigin
    private let downloader = WebImageDownloader.direct()

    init() throws {
        origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("picture") }
    }

    /// The origin's request for a load of `/a`, modified by `change`.
    private func request(_ change: (inout ImageLoadRequest) -> Void) async throws -> OriginRequest {
        var request = ImageLoadRequest(url: origin.url("/a"))
        change(&request)
        _ = try await RecordedLoad(request, by: downloader).response
        return try #require(origin.requests.last)
    }

    /// The error of a load of `/a`, modified by `change`.
    private func error(_ change: (inout ImageLoadRequest) -> Void) async -> WebImageError? {
        var request = ImageLoadRequest(url: origin.url("/a"))
        change(&request)
        let load = RecordedLoad(request, by: downloader)
        let error = await load.error
        #expect(load.hasEndedOnce)
        return error
    }

    // MARK: Requests

    @Test("DL-15 a request modifier sees the whole request, on the caller's thread, and its result is sent")
    func requestModifier() async throws {
        let seen = Observed<[String: String]>([:])
        downloader.requestModifier = WebImageDownloaderRequestModifier { request in
            seen.update { $0 = request.headers }
            var request = request
            request.url.append(path: "b")
            request.headers["Accept"] = nil
            request.headers["user-agent"] = "Other/1"
            return request
        }
        let sent = try await request { $0.headers = ["X-Own": "1"] }
        #expect(Set(seen.value.keys) == ["Accept", "User-Agent", "X-Own"])
        #expect(sent.path == "/a/b")
        #expect(sent.header("accept") == nil)
        #expect(sent.header("user-agent") == "Other/1")
        #expect(sent.header("x-own") == "1")
    }

    @Test("DL-15 a request modifier that returns nothing fails the load before load() returns, and nothing is sent")
    func refusingRequestModifier() async throws {
        downloader.requestModifier = WebImageDownloaderRequestModifier { _ in nil }
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        #expect(load.hasEndedOnce)
        let error = try #require(await load.error)
        #expect(error.code == .invalidDownloadOperation)
        #expect(error.stage == .request)
        #expect(error.url == origin.url("/a"))
        #expect(downloader.currentDownloadCount == 0)
        #expect(origin.requests.isEmpty)
    }

    @Test("CTX-23 a load's request modifier replaces the downloader's; they are not chained")
    func ownRequestModifier() async throws {
        downloader.requestModifier = WebImageDownloaderRequestModifier(headers: ["X-Downloader": "1"])
        let own = try await request {
            $0.requestModifier = WebImageDownloaderRequestModifier(headers: ["X-Load": "1"])
        }
        #expect(own.header("x-load") == "1")
        #expect(own.header("x-downloader") == nil)
        #expect(try await request { _ in }.header("x-downloader") == "1")
        downloader.requestModifier = nil
        #expect(try await request { _ in }.header("x-downloader") == nil)
    }

    @Test("B26 a ready-made request modifier sets only the given values")
    func readyMadeRequestModifier() async throws {
        let plain: (inout ImageLoadRequest) -> Void = {
            $0.method = "PUT"
            $0.body = Data("body".utf8)
        }
        let fields = try await request {
            plain(&$0)
            $0.requestModifier = WebImageDownloaderRequestModifier(headers: ["ACCEPT": "image/png"])
        }
        #expect(fields.method == "PUT")
        #expect(fields.body == Data("body".utf8))
        #expect(fields.header("accept") == "image/png")
        let method = try await request {
            plain(&$0)
            $0.requestModifier = WebImageDownloaderRequestModifier(method: "POST")
        }
        #expect(method.method == "POST")
        #expect(method.body == Data("body".utf8))
        let body = try await request {
            plain(&$0)
            $0.requestModifier = WebImageDownloaderRequestModifier(body: Data("other".utf8))
        }
        #expect(body.method == "PUT")
        #expect(body.body == Data("other".utf8))
    }

    @Test(
        "a modifier that leads away from the web, or to no host, fails the load", arguments: ["ftp://h/a", "http:///a"])
    func unusableAddress(address: String) async throws {
        let url = try parsed(address)
        let error = await error {
            $0.requestModifier = WebImageDownloaderRequestModifier { request in
                var request = request
                request.url = url
                return request
            }
        }
        #expect(error?.code == (url.scheme == "ftp" ? .unsupportedScheme : .invalidURL))
        #expect(error?.url == origin.url("/a"))
    }

    @Test(
        "a method and a body are sent unchanged, without any additional field",
        arguments: ["GET", "POST", "PUT"])
    func body(method: String) async throws {
        let body = sampleBytes(2_000_000)
        let sent = try await request {
            $0.method = method
            $0.body = body
        }
        #expect(sent.method == method)
        #expect(sent.body == body)
        #expect(sent.header("content-type") == nil)
        #expect(sent.header("expect") == nil)
    }

    @Test("a POST without a body, and a HEAD, which has no picture")
    func emptyBodies() async throws {
        let post = try await request { $0.method = "POST" }
        #expect(post.method == "POST" && post.body.isEmpty && post.header("content-length") == "0")
        #expect(await error { $0.method = "HEAD" }?.code == .badImageData)
        #expect(origin.requests.last?.method == "HEAD")
    }

    @Test("a method that would forge a request is refused", arguments: ["GET / HTTP/1.1\r\nX: 1", "", "A B"])
    func forgedMethod(method: String) async throws {
        let error = try #require(await error { $0.method = method })
        #expect(error.code == .invalidDownloadOperation)
        #expect(!error.description.contains("\n"))
        #expect(origin.requests.isEmpty)
    }

    // MARK: Answers

    @Test("DL-16 the result of the response modifier is judged and delivered")
    func responseModifier() async throws {
        origin.serve("/a", .text("picture", status: 404))
        downloader.responseModifier = WebImageDownloaderResponseModifier { response in
            var response = response
            response.headers["X-Was"] = "\(response.statusCode)"
            response.statusCode = 200
            response.headers["Content-Type"] = "image/png"
            return response
        }
        let response = try await RecordedLoad(origin.url("/a"), by: downloader).response
        #expect(response.data == Data("picture".utf8))
        #expect(response.http?.statusCode == 200)
        #expect(response.http?.header("x-was") == "404")
        #expect(response.http?.mimeType == "image/png")
        downloader.responseModifier = WebImageDownloaderResponseModifier(statusCode: 500)
        let error = try #require(await error { _ in })
        #expect(error.statusCode == 500)
        #expect(error.response?.statusCode == 500)
    }

    @Test("DL-16 a response modifier sees the last answer only, once, after redirects", arguments: [200, 404])
    func redirected(status: Int) async throws {
        let seen = Observed<[HTTPResponse]>([])
        origin.serve("/a", .redirect(to: "/b"))
        origin.serve("/b", .text("picture", status: status).chunked(2))
        downloader.responseModifier = WebImageDownloaderResponseModifier { response in
            seen.update { $0.append(response) }
            return response
        }
        _ = await error { _ in }
        #expect(seen.value.map(\.statusCode) == [status])
        #expect(seen.value.first?.url == origin.url("/b"))
    }

    @Test("DL-16 a response modifier that returns nothing fails the load", arguments: [200, 404])
    func refusingResponseModifier(status: Int) async throws {
        origin.serve("/a", .text("picture", status: status))
        let error = try #require(await error { $0.responseModifier = WebImageDownloaderResponseModifier { _ in nil } })
        #expect(error.code == .invalidDownloadResponse)
        #expect(error.kind == .policy)
        #expect(error.response?.statusCode == status)
    }

    @Test("CTX-24 a load's response modifier replaces the downloader's; they are not chained")
    func ownResponseModifier() async throws {
        downloader.responseModifier = WebImageDownloaderResponseModifier(headers: ["X-Downloader": "1"])
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.responseModifier = WebImageDownloaderResponseModifier(headers: ["X-Load": "1"])
        let own = try await RecordedLoad(request, by: downloader).response.http
        #expect(own?.header("x-load") == "1")
        #expect(own?.header("x-downloader") == nil)
        let plain = try await RecordedLoad(origin.url("/a"), by: downloader).response.http
        #expect(plain?.header("x-downloader") == "1")
    }

    @Test("B26 a ready-made response modifier sets only the given values")
    func readyMadeResponseModifier() async throws {
        origin.serve("/a", .text("picture", status: 203).header("X-Kept", "1").header("X-Changed", "1"))
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.responseModifier = WebImageDownloaderResponseModifier(headers: ["X-CHANGED": "2"])
        let response = try #require(try await RecordedLoad(request, by: downloader).response.http)
        #expect(response.statusCode == 203)
        #expect(response.header("x-kept") == "1")
        #expect(response.header("x-changed") == "2")
    }

    @Test("DL-16 an encoded body is decoded by the server's header, whatever the modifier says")
    func encodingIsTheServers() async throws {
        let packed = try #require(Data(base64Encoded: PackedZeros.gzip))
        origin.serve("/a", OriginResponse(body: packed).encoded())
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.responseModifier = WebImageDownloaderResponseModifier(headers: ["Content-Encoding": "identity"])
        let load = RecordedLoad(request, by: downloader)
        #expect(try await load.response.data.count == PackedZeros.count)
        #expect(load.progress.allSatisfy { $0.expectedByteCount == nil })
    }

    @Test("modifiers may be changed while loads begin and end")
    func changesUnderLoad() async throws {
        let loads = (0..<100).map { number in
            downloader.requestModifier = WebImageDownloaderRequestModifier(headers: ["X-Number": "\(number)"])
            downloader.responseModifier = WebImageDownloaderResponseModifier(headers: ["X-Number": "\(number)"])
            return RecordedLoad(origin.url("/\(number)"), by: downloader)
        }
        for (number, load) in loads.enumerated() {
            #expect(try await load.response.http?.header("x-number") == "\(number)")
        }
        #expect(origin.requests.allSatisfy { "/\($0.header("x-number") ?? "")" == $0.path })
    }
}
