import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Signed requests", .timeLimit(.minutes(5)))
struct SignedRequestTests {
    private let origin: LoopbackOrigin

    init() throws {
        origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("picture") }
    }

    private func credential(_ secret: String = "secret", token: String? = "token") -> DownloadCredential {
        var credential = DownloadCredential(user: "AK", password: secret)
        credential.signature = RequestSignature(region: "eu-test-1", service: "s3", sessionToken: token)
        return credential
    }

    private func load(_ url: URL, _ credential: DownloadCredential?) -> RecordedLoad {
        var request = ImageLoadRequest(url: url)
        request.credential = credential
        return RecordedLoad(request, by: WebImageDownloader.direct())
    }

    private static func secrets(of request: OriginRequest) -> [String] {
        request.headers.filter { $0.key == "authorization" || $0.key.hasPrefix("x-amz-") }.keys.sorted()
    }

    @Test("a request is signed at once, without a challenge, and its secret is not sent")
    func atOnce() async throws {
        _ = try await load(origin.url("/a"), credential()).response
        let request = try #require(origin.requests.first)
        #expect(request.header("authorization")?.hasPrefix("AWS4-HMAC-SHA256 Credential=AK/") == true)
        #expect(request.header("x-amz-security-token") == "token")
        #expect(request.header("x-amz-content-sha256")?.count == 64)
        #expect(origin.requests.count == 1 && request.headers.allSatisfy { !$0.value.contains("secret") })
    }

    @Test("only fields that are sent are signed")
    func signedFields() async throws {
        _ = try await load(origin.url("/a"), credential()).response
        let request = try #require(origin.requests.first)
        let text = try #require(request.header("authorization")?.firstRange(of: "SignedHeaders="))
        let names =
            request.header("authorization")?[text.upperBound...].prefix { $0 != "," }.split(separator: ";") ?? []
        #expect(!names.isEmpty && names.allSatisfy { request.header(String($0)) != nil }, "\(names)")
    }

    @Test("neither signature nor token goes to another origin after a redirect, and both go to their own")
    func redirects() async throws {
        let other = try LoopbackOrigin()
        other.fallback = { _ in .text("picture") }
        for target in [origin.url("/to", host: "localhost"), other.url("/to")] {
            origin.serve("/from", .redirect(to: target.absoluteString))
            _ = try await load(origin.url("/from"), credential()).response
        }
        origin.serve("/from", .redirect(to: "/own"))
        _ = try await load(origin.url("/from"), credential()).response
        let all = ["authorization", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"]
        let foreign = origin.requests.filter { $0.path == "/to" } + other.requests
        #expect(foreign.count == 2 && foreign.allSatisfy { Self.secrets(of: $0) == [] })
        #expect(origin.requests.filter { $0.path == "/own" }.map(Self.secrets) == [all])
        #expect(origin.requests.filter { $0.path == "/from" }.allSatisfy { Self.secrets(of: $0) == all })
    }

    @Test("loads share a transfer only if they sign alike")
    func sharing() async throws {
        let gate = Gate()
        origin.fallback = { _ in OriginResponse.text("picture").held(by: gate) }
        let downloader = WebImageDownloader.direct()
        let credentials: [DownloadCredential?] = [
            credential(), credential(), credential("other"), credential(token: nil),
            DownloadCredential(user: "AK", password: "secret"), nil,
        ]
        let loads = credentials.map { credential in
            var request = ImageLoadRequest(url: origin.url("/a"))
            request.credential = credential
            return RecordedLoad(request, by: downloader)
        }
        try await origin.waitForRequests(5)
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(origin.requests.count == 5)
    }

    @Test("a signature that is printed, alone or inside of something, keeps its token and its secret")
    func printing() {
        var request = ImageLoadRequest(url: origin.url())
        request.credential = credential("very-secret", token: "very-secret-token")
        var dumped = ""
        dump(request, to: &dumped)
        let signature = request.credential?.signature
        for text in ["\(request)", dumped, "\(String(describing: signature))", String(reflecting: signature)] {
            #expect(!text.contains("very-secret"))
        }
    }
}
