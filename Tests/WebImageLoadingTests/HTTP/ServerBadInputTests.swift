import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// Everything that a server may do wrong: each has its error, the downloader loads on, and nothing is left.
@Suite("Bad input from servers", .timeLimit(.minutes(5)))
struct ServerBadInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// nil for what is accepted.
        let code: WebImageError.Code?
        let kind: WebImageError.Kind
        let script: [RawOrigin.Step]

        var testDescription: String { name }

        /// How long a server may say nothing, or too little.
        var patience: Duration { code == .timedOut ? .seconds(0.5) : .seconds(60) }

        init(
            _ name: String, _ code: WebImageError.Code?, kind: WebImageError.Kind? = nil, _ answer: String,
            _ steps: RawOrigin.Step...
        ) {
            self.name = name
            self.code = code
            let isLost = code == .timedOut || code == .connectionLost
            self.kind = kind ?? (isLost ? .transient : code == .limitExceeded ? .policy : .permanent)
            script = [.receiveHead, .send(answer)] + steps
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let flood = String(repeating: "a", count: 64 << 10)
    private static let manyFields = (0..<10_000).map { "X-\($0): a\r\n" }.joined()

    static let cases = [
        Case("a body that stalls", .timedOut, "\(ok)Content-Length: 9\r\n\r\na", .stall),
        Case("a body that drips", .timedOut, "\(ok)\r\n", .repeatedly("a", every: .milliseconds(20))),
        Case("a head that drips", .timedOut, "HTTP/1.1 2", .drip("00 OK and so on", every: .milliseconds(100)), .stall),
        Case("no answer", .connectionLost, ""),
        Case("a reset before the head", .connectionLost, "HTTP/1.1 200", .reset),
        Case("a head that is cut off", .connectionLost, "\(ok)X: "),
        Case("a reset within the body", .connectionLost, "\(ok)Content-Length: 9\r\n\r\nabc", .reset),
        Case("a length that is too large", .connectionLost, "\(ok)Content-Length: 9\r\n\r\nabc"),
        Case("a length that is too small", nil, "\(ok)Content-Length: 1\r\n\r\nabc"),
        Case("a negative length", .invalidDownloadResponse, "\(ok)Content-Length: -3\r\n\r\nabc"),
        Case("two lengths", .invalidDownloadResponse, "\(ok)Content-Length: 3\r\nContent-Length: 2\r\n\r\nabc"),
        Case("chunks without an end", .connectionLost, "\(ok)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        Case(
            "a chunk of a negative length", .invalidDownloadResponse, kind: .transient,
            "\(ok)Transfer-Encoding: chunked\r\n\r\n-1\r\na"),
        Case(
            "a chunk of more than 64 bits", .invalidDownloadResponse, kind: .transient,
            "\(ok)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\na", .stall),
        Case("an endless body", .limitExceeded, "\(ok)\r\n", .repeatedly(flood)),
        Case(
            "an endless body of an error", .invalidDownloadStatusCode, kind: .transient, "HTTP/1.1 500 No\r\n\r\n",
            .repeatedly(flood)),
        Case(
            "an endless body of a redirect", .tooManyRedirects, "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n",
            .repeatedly(flood)),
        Case("a redirect to a file", .unsupportedScheme, "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"),
        Case(
            "a redirect to itself", .tooManyRedirects, "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
        Case("a redirect to nowhere", .invalidDownloadStatusCode, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
        Case(
            "a part of the wrong range", .invalidDownloadResponse,
            "HTTP/1.1 206 Part\r\nContent-Range: bytes 5-7/9\r\nContent-Length: 3\r\n\r\nabc"),
        Case("304 that was not asked for", .cacheNotModified, "HTTP/1.1 304 Not Modified\r\n\r\n"),
        Case("204", .badImageData, kind: .transient, "HTTP/1.1 204 No Content\r\n\r\n"),
        Case("interim answers only", .timedOut, "", .repeatedly("HTTP/1.1 103 Hm\r\n\r\n", every: .milliseconds(20))),
        Case(
            "a flood of interim answers", .limitExceeded, "",
            .repeatedly("HTTP/1.1 103 Hm\r\nA: \(flood.prefix(900))\r\n\r\n")),
        Case("trailers", nil, "\(ok)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n"),
        Case(
            "a head of a megabyte", .limitExceeded, ok, .send("A: \(flood.prefix(900))\r\n"),
            .repeatedly("A: \(flood.prefix(900))\r\n")),
        // libcurl has a limit of 5000 since version 8.14.
        Case(
            "ten thousand fields", CurlVersion.isAtLeast(8, 14) ? .limitExceeded : nil,
            "\(ok)\(manyFields)Content-Length: 1\r\n\r\na"),
        Case("a line without an end", .limitExceeded, "\(ok)A: ", .repeatedly(flood)),
        Case("HTTP/0.9", .invalidDownloadResponse, "<html>hello</html>"),
        Case("garbage for a status", .invalidDownloadResponse, "HTTP/1.1 banana\r\n\r\n"),
        Case("a status of four digits", .invalidDownloadResponse, "HTTP/1.1 2000 OK\r\nContent-Length: 1\r\n\r\na"),
        Case(
            "an encoding that nobody knows", nil,
            "\(ok)Content-Encoding: banana\r\nContent-Length: 1\r\n\r\na"),
        Case(
            "gzip that is none", .invalidDownloadResponse, "\(ok)Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
        ),
        Case(
            "a gzip bomb without an end", .limitExceeded, "\(ok)Content-Encoding: gzip\r\n\r\n",
            .send(PackedZeros.gzipBeginning), .repeatedly(PackedZeros.gzipRepetition, every: .zero)),
        Case(
            "a gzip bomb in a gzip bomb", .limitExceeded, "\(ok)Content-Encoding: gzip, gzip\r\n\r\n",
            .send(unpacked(PackedZeros.twiceByGzip))),
        Case(
            "a brotli bomb", .limitExceeded, "\(ok)Content-Encoding: br\r\n\r\n",
            .send(unpacked(PackedZeros.twentyMegabytes))),
        Case(
            "a brotli bomb in a brotli bomb", .limitExceeded, "\(ok)Content-Encoding: br, br\r\n\r\n",
            .send(unpacked(PackedZeros.twice))),
        Case(
            "many encodings", .invalidDownloadResponse,
            "\(ok)Content-Encoding: \(Array(repeating: "gzip", count: 100).joined(separator: ","))\r\n\r\nabc"),
    ]

    private static func unpacked(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    /// - Parameter patience: Also that for a connection, so it is short only where a time-out is to come.
    private static func downloader(patience: Duration = .seconds(60)) -> WebImageDownloader {
        .direct {
            $0.downloadTimeout = patience
            $0.minimumSpeed = .init(bytesPerSecond: 1000, window: patience)
            $0.maximumBodyByteCount = 1 << 20
        }
    }

    @Test("each has its error, once, and the next load works", arguments: cases)
    func wrong(_ wrong: Case) async throws {
        let origin = try RawOrigin(wrong.script)
        let good = try RawOrigin([.receiveHead, .send("\(Self.ok)Content-Length: 1\r\n\r\na")])
        let downloader = Self.downloader(patience: wrong.patience)
        let load = RecordedLoad(origin.url(), by: downloader)
        let error = await load.error
        #expect(error?.code == wrong.code, "\(error?.reason ?? "accepted")")
        #expect(error.map { $0.kind == wrong.kind } ?? true)
        #expect(load.hasEndedOnce)
        #expect(error?.reason.contains("\n") != true)
        downloader.config.downloadTimeout = .seconds(60)
        downloader.config.minimumSpeed = nil
        #expect(try await RecordedLoad(good.url(), by: downloader).response.data == Data("a".utf8))
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test(
        "bytes that are no text arrive as they can, and NUL makes no other field",
        arguments: [[0xFF, 0xFE, 0xC0], [0x00]] as [[UInt8]])
    func strangeFields(bytes: [UInt8]) async throws {
        var answer = Data("\(Self.ok)X-Odd: a".utf8)
        answer.append(contentsOf: bytes)
        answer += Data("b\r\nContent-Length: 1\r\n\r\na".utf8)
        let origin = try RawOrigin([.receiveHead, .send(answer)])
        let load = RecordedLoad(origin.url(), by: Self.downloader())
        if let error = await load.error {
            #expect(error.code == .invalidDownloadResponse)
        } else {
            #expect(try await load.response.http?.header("x-odd")?.hasPrefix("a") == true)
        }
    }

    @Test("a cookie for another domain is not kept")
    func foreignCookie() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", OriginResponse(body: Data("x".utf8)).header("Set-Cookie", "id=1; Domain=example.org"))
        let downloader = Self.downloader()
        for _ in 0..<2 {
            var request = ImageLoadRequest(url: origin.url("/a"))
            request.usesCookies = true
            _ = try await RecordedLoad(request, by: downloader).response
        }
        #expect(origin.requests.allSatisfy { $0.cookies.isEmpty })
    }

    @Test("200 with HTML is no picture, is stored nowhere, and does not spoil the next load")
    func html() async throws {
        let (origin, directory) = (try LoopbackOrigin(), try CacheDirectory())
        origin.serve("/a.png", .text("<html>not here</html>", contentType: "text/html"))
        let manager = WebImageManager(cache: ImageCache(directory: directory.path), loader: Self.downloader())
        let error = try #require(
            await #expect(throws: WebImageError.self) { try await manager.image(for: origin.url("/a.png")) })
        #expect(error.code == .badImageData && error.kind == .transient && error.stage == .decode, "\(error)")
        #expect(directory.files.isEmpty)
        origin.serve("/a.png", .picture(try Fixtures.data("palette.png")))
        #expect(try await manager.result(for: origin.url("/a.png")).cacheType == .noCache)
    }

    @Test("after all of it no descriptor and no thread is left")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            try await leavingNothing {
                for wrong in Self.cases {
                    let origin = try RawOrigin(wrong.script)
                    _ = await RecordedLoad(origin.url(), by: Self.downloader(patience: wrong.patience)).error
                }
            }
        }
    }
}
