import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// Servers that name an encoding of the body that is none of HTTP's. Browsers take the body as it is.
@Suite("Content-Encoding that is none", .timeLimit(.minutes(5)))
struct UnknownEncodingTests {
    private static let body = Data("GIF89a and what follows".utf8)

    @Test(
        "the body is taken as it is",
        arguments: ["aws-chunked", "utf-8", "binary", "UTF-8", "none", "gzip, aws-chunked", " aws-chunked "])
    func unknown(encoding: String) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: Self.body).header("Content-Encoding", encoding))
        let response = try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response
        #expect(response.data == Self.body)
    }

    @Test("a second request for such a body asks for no encoding; there is no third")
    func requests() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: Self.body).header("Content-Encoding", "aws-chunked"))
        _ = try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response
        #expect(origin.requests.map { $0.header("Accept-Encoding") == nil } == [false, true])
    }

    @Test("a body that is not of the encoding that it claims is an error, and is not asked for again")
    func damaged() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: Self.body).header("Content-Encoding", "gzip"))
        let error = try #require(await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).error)
        #expect(error.code == .invalidDownloadResponse)
        #expect(origin.requestCount("/a") == 1)
    }
}
