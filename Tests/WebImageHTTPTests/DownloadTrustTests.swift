import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Downloads from servers without a trusted certificate", .timeLimit(.minutes(5)))
struct DownloadTrustTests {
    private let downloader = WebImageDownloader.direct { $0.caCertificateFile = nil }

    private func load(_ url: URL, isLenient: Bool) -> RecordedLoad {
        var request = ImageLoadRequest(url: url)
        request.allowsInvalidCertificates = isLenient
        return RecordedLoad(request, by: downloader)
    }

    private func origin() throws -> LoopbackOrigin {
        let origin = try LoopbackOrigin(tls: true)
        origin.fallback = { _ in .text("picture") }
        return origin
    }

    @Test("OPT-6 S0-9 an untrusted certificate is accepted by the loads that allow it, and by no other")
    func leniency() async throws {
        let origin = try origin()
        #expect(!ImageLoadRequest(url: origin.url()).allowsInvalidCertificates)
        #expect(await load(origin.url("/a"), isLenient: false).error?.code == .secureConnectionFailed)
        #expect(try await load(origin.url("/a"), isLenient: true).response.data == Data("picture".utf8))
    }

    @Test("OPT-6 a connection that a lenient load has made serves no strict one")
    func connections() async throws {
        let origin = try origin()
        for path in ["/a", "/b"] { _ = try await load(origin.url(path), isLenient: true).response }
        #expect(origin.connectionCount == 1)
        for path in ["/a", "/c"] {
            #expect(await load(origin.url(path), isLenient: false).error?.code == .secureConnectionFailed)
        }
        #expect(origin.requests.count == 2)
        _ = try await load(origin.url("/d"), isLenient: true).response
        #expect(origin.requests.last?.connectionNumber == 1)
    }

    @Test("OPT-6 a TLS session that a lenient load has made is not used by a strict one")
    func sessions() async throws {
        let origin = try origin()
        origin.serve("/a", .text("picture").untilClose())
        for _ in 0..<3 { _ = try await load(origin.url("/a"), isLenient: true).response }
        #expect(origin.connectionCount == 3)
        #expect(await load(origin.url("/a"), isLenient: false).error?.code == .secureConnectionFailed)
        #expect(origin.requests.count == 3)
    }

    @Test("OPT-6 strict loads fail while lenient ones are under way on the same host")
    func atTheSameTime() async throws {
        let (origin, gate) = (try origin(), Gate())
        origin.serve("/held", OriginResponse.text("picture").held(by: gate))
        let lenient = load(origin.url("/held"), isLenient: true)
        try await origin.waitForRequests(1)
        #expect(await load(origin.url("/held"), isLenient: false).error?.code == .secureConnectionFailed)
        gate.open()
        #expect(try await lenient.response.data == Data("picture".utf8))
        #expect(origin.requests.count == 1)
    }

    @Test("OPT-6 a strict load does not go over the HTTP/2 connection of lenient ones")
    func multiplexed() async throws {
        let server = try await HTTP2Server(["a": Data("picture".utf8)])
        let lenient = try (0..<10).map { load(try server.url("a?\($0)"), isLenient: true) }
        let strict = try (0..<10).map { load(try server.url("a?\($0)"), isLenient: false) }
        for load in lenient { #expect(try await load.response.data == Data("picture".utf8)) }
        for load in strict { #expect(await load.error?.code == .secureConnectionFailed) }
        let later = load(try server.url("a?later"), isLenient: false)
        #expect(await later.error?.code == .secureConnectionFailed)
        _ = try await server.stop()
    }

    @Test("OPT-6 a certificate for another name is an invalid one")
    func otherName() async throws {
        let origin = try origin()
        let downloader = WebImageDownloader.direct()
        var request = ImageLoadRequest(url: origin.url("/a", host: "other.localhost"))
        let error = try #require(await RecordedLoad(request, by: downloader).error)
        #expect(error.code == .secureConnectionFailed)
        #expect(error.kind == .permanent)
        request.allowsInvalidCertificates = true
        #expect(try await RecordedLoad(request, by: downloader).response.data == Data("picture".utf8))
    }

    @Test("OPT-6 a redirect from a lenient load's http to untrusted https is followed, a strict load's is not")
    func redirect() async throws {
        let (origin, plain) = (try origin(), try LoopbackOrigin())
        plain.serve("/a", .redirect(to: origin.url("/a").absoluteString))
        _ = try await load(plain.url("/a"), isLenient: true).response
        #expect(await load(plain.url("/a"), isLenient: false).error?.code == .secureConnectionFailed)
    }
}
