import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Redirects", .timeLimit(.minutes(5)))
struct RedirectTests {
    private static let secret = DownloadCredential(user: "ann", password: "secret")

    /// An https server that leads to one without TLS.
    private struct Downgrade {
        let secure: LoopbackOrigin
        let plain: LoopbackOrigin

        init() throws {
            secure = try LoopbackOrigin(tls: true)
            plain = try LoopbackOrigin()
            secure.serve("/a", .redirect(to: plain.url("/b").absoluteString))
            plain.serve("/b", .text("x"))
        }

        func load(
            _ rule: WebImageDownloaderConfig.InsecureRedirects, _ change: (inout ImageLoadRequest) -> Void = { _ in }
        ) -> RecordedLoad {
            var request = ImageLoadRequest(url: secure.url("/a"))
            change(&request)
            return RecordedLoad(request, by: WebImageDownloader.direct { $0.insecureRedirects = rule })
        }
    }

    @Test("https to http is followed by a load without secrets, unless it is never")
    func downgrade() async throws {
        let downgrade = try Downgrade()
        #expect(WebImageDownloaderConfig().insecureRedirects == .withoutCredentials)
        #expect(try await downgrade.load(.withoutCredentials).response.http?.url == downgrade.plain.url("/b"))
        let error = try #require(await downgrade.load(.never).error)
        #expect(error.code == .secureConnectionFailed)
        #expect(error.kind == .policy)
        #expect(error.reason.contains("from https to http://127.0.0.1"), "\(error)")
        #expect(error.statusCode == 302)
        #expect(downgrade.plain.requests.count == 1)
    }

    @Test("https to http is refused for a load with secrets, and where it is allowed they stay behind")
    func secretDowngrade() async throws {
        let downgrade = try Downgrade()
        let secrets: [@Sendable (inout ImageLoadRequest) -> Void] = [
            { $0.credential = Self.secret }, { $0.headers["authorization"] = "Bearer secret" },
            { $0.headers["Cookie"] = "id=secret" }, { $0.usesCookies = true },
        ]
        for secret in secrets {
            #expect(await downgrade.load(.withoutCredentials, secret).error?.code == .secureConnectionFailed)
        }
        #expect(downgrade.plain.requests.isEmpty)
        for secret in secrets { _ = try await downgrade.load(.always, secret).response }
        #expect(downgrade.plain.requests.count == secrets.count)
        for request in downgrade.plain.requests {
            #expect(request.header("authorization") == nil && request.header("cookie") == nil)
        }
    }

    @Test(
        "a POST becomes a GET after 301, 302 and 303, and stays one after 307 and 308",
        arguments: [301, 302, 303, 307, 308])
    func method(status: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .redirect(to: "/b", status: status))
        origin.serve("/b", .text("x"))
        var request = ImageLoadRequest(url: origin.url("/a"), headers: ["Content-Type": "text/plain", "X-Own": "1"])
        request.method = "POST"
        request.body = Data("body".utf8)
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        let sent = try #require(origin.requests.last)
        #expect(sent.path == "/b" && sent.header("x-own") == "1")
        #expect(sent.method == (status < 307 ? "GET" : "POST"))
        #expect(sent.body == (status < 307 ? Data() : Data("body".utf8)))
        #expect(sent.header("content-type") == (status < 307 ? nil : "text/plain"))
    }

    @Test(
        "a target may be relative, have spaces and letters, or another host",
        arguments: [
            ("b", "/x/b"), ("../b", "/b"), ("?q=1", "/x/a?q=1"), ("/b c", "/b%20c"), ("/ü", "/%C3%BC"),
            ("//localhost:PORT/b", "/b"),
        ])
    func target(location: String, target: String) async throws {
        let origin = try LoopbackOrigin()
        let location = location.replacing("PORT", with: "\(origin.port)")
        origin.fallback = { $0.target == target ? .text("x") : nil }
        origin.serve("/x/a") { $0.query == nil ? .redirect(to: location) : .text("x") }
        let response = try await RecordedLoad(origin.url("/x/a"), by: WebImageDownloader.direct()).response
        #expect(response.data == Data("x".utf8))
        #expect(origin.requests.last?.target == target)
    }

    @Test("a redirect without a target is the answer, and one to no address is an error", arguments: [nil, "http://["])
    func noTarget(location: String?) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", location.map { .redirect(to: $0) } ?? .status(302))
        let error = try #require(await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).error)
        #expect(error.code == (location == nil ? .invalidDownloadStatusCode : .invalidDownloadResponse))
        #expect(error.statusCode == 302)
    }

    @Test("a Host field of the app's is for the server that it was given for, and for no other")
    func hostField() async throws {
        let (first, second) = (try LoopbackOrigin(), try LoopbackOrigin())
        first.serve("/a", .redirect(to: "/b"))
        first.serve("/b", .redirect(to: second.url("/c").absoluteString))
        second.serve("/c", .text("x"))
        var request = ImageLoadRequest(url: first.url("/a"))
        request.headers["Host"] = "pictures.example"
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(first.requests.map { $0.header("Host") } == ["pictures.example", "pictures.example"])
        #expect(second.requests.map { $0.header("Host") } == ["127.0.0.1:\(second.port)"])
    }

    @Test("cookies of a redirect go out with the next request")
    func cookies() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .redirect(to: "/b").header("Set-Cookie", "id=1"))
        origin.serve("/b", .text("x"))
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.usesCookies = true
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(origin.requests.map(\.cookies) == [[:], ["id": "1"]])
    }

    @Test("a load that is cancelled during its second request ends once, and leaves nothing running")
    func cancelled() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", .redirect(to: "/b"))
        origin.serve("/b", OriginResponse(body: Data("x".utf8)).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        try await origin.waitForRequests(1, for: "/b")
        load.cancel()
        #expect(await load.error?.isCancelled == true)
        #expect(load.hasEndedOnce)
        #expect(downloader.currentDownloadCount == 0)
        gate.open()
        #expect(try await RecordedLoad(origin.url("/b"), by: downloader).response.data == Data("x".utf8))
    }
}
