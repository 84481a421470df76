import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Download credentials", .timeLimit(.minutes(5)))
struct DownloadCredentialTests {
    private let origin: LoopbackOrigin

    init() throws {
        origin = try LoopbackOrigin()
        for name in ["ann", "bob", "eve"] {
            origin.serve("/\(name)", OriginResponse.text("picture").protected(user: name, password: "of \(name)"))
        }
    }

    private func credential(_ name: String) -> DownloadCredential {
        DownloadCredential(user: name, password: "of \(name)")
    }

    /// The status that a load of `path` ends with.
    private func status(
        _ path: String, by downloader: WebImageDownloader, credential: DownloadCredential? = nil
    ) async -> Int? {
        var request = ImageLoadRequest(url: origin.url(path))
        request.credential = credential
        let load = RecordedLoad(request, by: downloader)
        if let error = await load.error { return error.statusCode }
        return try? await load.response.http?.statusCode
    }

    /// The users of all requests so far, by their header field; nil for requests without one.
    private var users: [String?] {
        origin.requests.map { request in
            request.header("authorization").flatMap { Data(base64Encoded: String($0.dropFirst(6))) }
                .map { String(decoding: $0.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self) }
        }
    }

    @Test("DL-7 DL-8 DL-9 the downloader's credential answers for its user only")
    func ofDownloader() async {
        let downloader = WebImageDownloader.direct { $0.credential = credential("ann") }
        #expect(await status("/ann", by: downloader) == 200)
        #expect(await status("/bob", by: downloader) == 401)
        #expect(users == [nil, "ann", nil, "ann"])
    }

    @Test("DL-7 a load's own credential wins over its address, and that over the downloader's")
    func precedence() async throws {
        let downloader = WebImageDownloader.direct { $0.credential = credential("ann") }
        let address = try parsed("http://bob:of%20bob@127.0.0.1:\(origin.port)/bob")
        #expect(try await RecordedLoad(address, by: downloader).response.http?.statusCode == 200)
        var request = ImageLoadRequest(url: try parsed("http://bob:of%20bob@127.0.0.1:\(origin.port)/eve"))
        request.credential = credential("eve")
        #expect(try await RecordedLoad(request, by: downloader).response.http?.statusCode == 200)
        #expect(users == [nil, "bob", nil, "eve"])
    }

    @Test("C4 DL-26 a credential goes out after a challenge only, for each load anew")
    func challenge() async {
        origin.serve("/open", .text("picture"))
        let downloader = WebImageDownloader.direct { $0.credential = credential("ann") }
        #expect(await status("/open", by: downloader) == 200)
        #expect(await status("/ann", by: downloader) == 200)
        #expect(await status("/open", by: downloader) == 200)
        #expect(await status("/ann", by: downloader) == 200)
        #expect(users == [nil, nil, "ann", nil, nil, "ann"])
        #expect(origin.connectionCount == 1)
    }

    @Test("DL-26 A55 a credential that is refused is sent once, and the load fails with the challenge")
    func refused() async {
        let downloader = WebImageDownloader.direct { $0.credential = credential("eve") }
        #expect(await status("/ann", by: downloader) == 401)
        #expect(users == [nil, "eve"])
    }

    @Test("DL-26 a challenge without any credential is a failure with the server's answer")
    func none() async throws {
        let error = try #require(await RecordedLoad(origin.url("/ann"), by: WebImageDownloader.direct()).error)
        #expect(error.code == .invalidDownloadStatusCode)
        #expect(error.statusCode == 401)
        #expect(error.response?.header("www-authenticate") == "Basic realm=\"origin\"")
        #expect(error.reason.contains("credentials"))
    }

    @Test("C4 a credential is not sent to another host, nor to another port of its own, after a redirect")
    func redirect() async throws {
        let other = try LoopbackOrigin()
        let protected = OriginResponse.text("picture").protected(user: "ann", password: "of ann")
        other.serve("/ann", protected)
        for target in [origin.url("/ann", host: "localhost"), other.url("/ann")] {
            origin.serve("/to", .redirect(to: target.absoluteString))
            let downloader = WebImageDownloader.direct { $0.credential = credential("ann") }
            #expect(await status("/to", by: downloader) == 401)
            #expect(await status("/to", by: .direct(), credential: credential("ann")) == 401)
        }
        #expect(users.allSatisfy { $0 == nil })
        #expect(other.requests.allSatisfy { $0.header("authorization") == nil })
    }

    @Test("C4 one load's credential opens nothing for another, at the same time and on the same connections")
    func separate() async {
        let downloader = WebImageDownloader.direct()
        async let known = status("/ann", by: downloader, credential: credential("ann"))
        async let wrong = status("/ann", by: downloader, credential: credential("bob"))
        async let unknown = status("/ann", by: downloader)
        #expect(await [known, wrong, unknown] == [200, 401, 401])
        #expect(await status("/ann", by: downloader) == 401)
    }

    @Test("A50 DL-26 a server that asks for a client certificate and does not insist is served without one")
    func optionalClientCertificate() async throws {
        let origin = try LoopbackOrigin(tls: true, asksForClientCertificate: true)
        origin.serve("/a", .text("picture"))
        let response = try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response
        #expect(response.data == Data("picture".utf8))
    }

    @Test("a credential cannot forge a field, and its characters arrive as they are")
    func characters() async throws {
        let odd = DownloadCredential(user: "än\r\nX-Forged: 1", password: "p:a@s%s wörd")
        origin.serve("/odd", OriginResponse.text("picture").protected(user: odd.user, password: odd.password))
        #expect(await status("/odd", by: .direct(), credential: odd) == 200)
        #expect(origin.requests.allSatisfy { $0.header("x-forged") == nil })
    }

    @Test("a credential that is printed, alone or inside of something, keeps its password")
    func printing() {
        let secret = DownloadCredential(user: "ann", password: "secret")
        var request = ImageLoadRequest(url: origin.url())
        request.credential = secret
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\(request)", dumped] {
            #expect(text.contains("ann"))
            #expect(!text.contains("secret"))
        }
    }
}
