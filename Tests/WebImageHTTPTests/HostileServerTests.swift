import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Hostile servers", .timeLimit(.minutes(5)))
struct HostileServerTests {
    /// 800 KiB of header fields: above every limit, but finite, so that a client without a limit does not wait forever.
    private static let fields = String(
        repeating: "X-Padding: \(String(repeating: "a", count: 1000))\r\n", count: 800)

    @Test(
        "endless header fields end the load, wherever they stand",
        arguments: [
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n",
        ])
    func endlessHead(beginning: String) async throws {
        let end = beginning.hasSuffix("0\r\n") ? "\r\n" : "Content-Length: 2\r\n\r\nab"
        let origin = try RawOrigin([.receiveHead, .send(beginning + Self.fields + end)])
        let error = try #require(await RecordedLoad(origin.url(), by: WebImageDownloader.direct()).error)
        #expect(error.code == .limitExceeded)
        #expect(error.kind == .policy)
        #expect(error.reason.contains("header fields"), "\(error)")
    }

    @Test("endless interim answers end the load")
    func endlessInterimAnswers() async throws {
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n", count: 20_000)
        let origin = try RawOrigin([.receiveHead, .send(hints + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")])
        let error = try #require(await RecordedLoad(origin.url(), by: WebImageDownloader.direct()).error)
        #expect(error.code == .limitExceeded)
    }

    @Test("fields after the body do not change its head")
    func trailers() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: image/png\r\n\r\n"
        let origin = try RawOrigin([
            .receiveHead, .send(head + "2\r\nab\r\n0\r\nContent-Type: text/html\r\n\r\n"),
        ])
        let response = try await RecordedLoad(origin.url(), by: WebImageDownloader.direct()).response
        #expect(response.data == Data("ab".utf8))
        #expect(response.http?.mimeType == "image/png")
    }

    @Test(
        "a part without a requested range is not the picture",
        arguments: [nil, "bytes 0-1/5", "bytes 3-4/5", "bytes 0-1/*"])
    func unaskedPart(range: String?) async throws {
        let origin = try LoopbackOrigin()
        var answer = OriginResponse(body: Data("ab".utf8))
        answer.status = 206
        if let range { answer = answer.header("Content-Range", range) }
        origin.serve("/a", answer)
        let error = try #require(await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).error)
        #expect(error.code == .invalidDownloadResponse)
        #expect(error.kind == .permanent)
        #expect(error.statusCode == 206)
    }

    @Test("a part is accepted if it is complete, or if the request has a range")
    func askedPart() async throws {
        let origin = try LoopbackOrigin()
        var answer = OriginResponse(body: Data("ab".utf8))
        answer.status = 206
        origin.serve("/whole", answer.header("Content-Range", "bytes 0-1/2"))
        origin.serve("/part", answer.header("Content-Range", "bytes 0-1/5"))
        let downloader = WebImageDownloader.direct()
        #expect(try await RecordedLoad(origin.url("/whole"), by: downloader).response.data.count == 2)
        let request = ImageLoadRequest(url: origin.url("/part"), headers: ["range": "bytes=0-1"])
        #expect(try await RecordedLoad(request, by: downloader).response.data.count == 2)
    }
}
