import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Sharing of transfers", .timeLimit(.minutes(5)))
struct TransferIdentityTests {
    /// One difference of a load from a plain one.
    struct Difference: CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ImageLoadRequest) -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout ImageLoadRequest) -> Void) {
            testDescription = description
            self.change = change
        }
    }

    private static let separating = [
        Difference("method") { $0.method = "POST" },
        Difference("body") { $0.body = Data("x".utf8) },
        Difference("header field") { $0.headers = ["X-Who": "me"] },
        Difference("header field of the downloader, replaced") { $0.headers = ["accept": "image/webp"] },
        Difference("validators") { $0.validators = ["If-None-Match": "\"1\""] },
        Difference("credential") { $0.credential = DownloadCredential(user: "a", password: "b") },
        Difference("cookies") { $0.usesCookies = true },
        Difference("trust") { $0.allowsInvalidCertificates = true },
        Difference("response modifier") { $0.responseModifier = WebImageDownloaderResponseModifier { $0 } },
        Difference("what the request modifier adds") {
            $0.requestModifier = WebImageDownloaderRequestModifier(headers: ["X-Who": "me"])
        },
    ]

    private static let uniting = [
        Difference("nothing") { _ in },
        Difference("priority") { $0.priority = .high },
        Difference("time-out") { $0.timeout = .seconds(100) },
        Difference("bytes as they come") { $0.reportsData = true },
        Difference("decryptor") { $0.decryptor = .base64 },
        Difference("options") { $0.options = [.retryFailed] },
        Difference("what the request modifier leaves alone") {
            $0.requestModifier = WebImageDownloaderRequestModifier { $0 }
        },
        Difference("a header field that says what the downloader's says") {
            $0.headers = ["Accept": "image/*,*/*;q=0.8"]
        },
    ]

    private func requestCount(_ difference: Difference) async throws -> Int {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: Data("YWJj".utf8)).held(by: gate))
        let downloader = WebImageDownloader.direct()
        var request = ImageLoadRequest(url: origin.url("/a"))
        let plain = RecordedLoad(request, by: downloader)
        difference.change(&request)
        let other = RecordedLoad(request, by: downloader)
        try await downloader.settle()
        gate.open()
        _ = try await plain.response
        _ = try await other.response
        #expect(plain.hasEndedOnce && other.hasEndedOnce)
        return origin.requests.count
    }

    @Test("OPT-6 loads with other requests, or with other rights, do not share a transfer", arguments: separating)
    func separate(difference: Difference) async throws {
        #expect(try await requestCount(difference) == 2)
    }

    @Test(
        "B7 DL-18 loads with the same request share a transfer, whatever they do with the answer",
        arguments: uniting
    )
    func unite(difference: Difference) async throws {
        #expect(try await requestCount(difference) == 1)
    }

    private struct ValueModifier: DownloadResponseModifier {
        func modify(_ response: HTTPResponse) -> HTTPResponse? { response }
    }

    private struct HashableModifier: DownloadResponseModifier, Hashable {
        func modify(_ response: HTTPResponse) -> HTTPResponse? { response }
    }

    enum ModifierKind: CaseIterable {
        case instance, hashable, value, valueOfDownloader
    }

    @Test(
        "CTX-24 loads share with the very same response modifier, or an equal value, and never with one without ==",
        arguments: ModifierKind.allCases)
    func responseModifiers(kind: ModifierKind) async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: Data("x".utf8)).held(by: gate))
        let downloader = WebImageDownloader.direct()
        var request = ImageLoadRequest(url: origin.url("/a"))
        switch kind {
        case .instance: request.responseModifier = WebImageDownloaderResponseModifier { $0 }
        case .hashable: request.responseModifier = HashableModifier()
        case .value: request.responseModifier = ValueModifier()
        case .valueOfDownloader: downloader.responseModifier = ValueModifier()
        }
        let loads = (0..<3).map { [request] _ in RecordedLoad(request, by: downloader) }
        try await downloader.settle()
        gate.open()
        for load in loads { _ = try await load.response }
        #expect(origin.requests.count == (kind == .value ? 3 : 1))
    }

    @Test("C4 an address with a password and the credential by itself are the same request, and no answer names it")
    func credentialOfAddress() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/a", OriginResponse(body: Data("x".utf8)).held(by: gate))
        let downloader = WebImageDownloader.direct()
        let address = RecordedLoad(try parsed("http://us%40er:word@127.0.0.1:\(origin.port)/a"), by: downloader)
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.credential = DownloadCredential(user: "us@er", password: "word")
        let plain = RecordedLoad(request, by: downloader)
        try await downloader.settle()
        gate.open()
        #expect(try await address.response.http?.url == origin.url("/a"))
        _ = try await plain.response
        #expect(origin.requests.count == 1)
    }
}
