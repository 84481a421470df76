import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Loopback origin", .timeLimit(.minutes(5)))
struct LoopbackOriginTests {
    private let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test("a body arrives byte for byte, with its content type")
    func plainBody() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(body, contentType: "image/jpeg").header("ETag", "\"1\""))
        let curl = try await Curl.run("-i", origin.url("/a.jpg").absoluteString)
        #expect(curl.status == 0)
        #expect(curl.output.suffix(body.count) == body)
        let head = String(decoding: curl.output.dropLast(body.count), as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        for field in ["Content-Type: image/jpeg", "Content-Length: 100000", "ETag: \"1\""] {
            #expect(head.contains("\(field)\r\n"))
        }
    }

    @Test("a picture's content type is that of its bytes")
    func sniffedType() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .picture(Data([0xFF, 0xD8, 0xFF, 0xE0])))
        #expect(try await Curl.run("-I", origin.url("/a").absoluteString).text.contains("Content-Type: image/jpeg\r\n"))
    }

    @Test("bodies in pieces, in chunks and until close arrive byte for byte", arguments: [1, 1024, 70_000, 200_000])
    func scriptedBody(pieceSize: Int) async throws {
        let origin = try LoopbackOrigin()
        let short = body.prefix(pieceSize == 1 ? 2000 : body.count)
        let response = OriginResponse(body: short)
        origin.serve("/pieces", response.inPieces(of: pieceSize))
        origin.serve("/chunked", response.chunked(pieceSize))
        origin.serve("/close", response.untilClose())
        for path in ["/pieces", "/chunked", "/close"] {
            let curl = try await Curl.run(origin.url(path).absoluteString)
            #expect(curl.status == 0)
            #expect(curl.output == short, "\(path)")
        }
    }

    @Test("each framing sends the fields that announce it")
    func framingFields() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/chunked", OriginResponse(body: body).chunked(1000))
        origin.serve("/close", OriginResponse(body: body).untilClose())
        let chunked = try await Curl.run(
            "-I", "-X", "GET", "--max-filesize", "1", origin.url("/chunked").absoluteString)
        #expect(chunked.text.contains("Transfer-Encoding: chunked\r\n"))
        #expect(!chunked.text.contains("Content-Length"))
        let close = try await Curl.run("-D", "-", "-o", "/dev/null", origin.url("/close").absoluteString)
        #expect(close.text.contains("Connection: close\r\n"))
        #expect(!close.text.contains("Content-Length") && !close.text.contains("chunked"))
    }

    @Test("a redirect leads on, and both requests are recorded")
    func redirect() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/r", .redirect(to: "/a.jpg"))
        origin.serve("/a.jpg", OriginResponse(body: body))
        #expect(try await Curl.run("-L", origin.url("/r").absoluteString).output == body)
        #expect(origin.requests.map(\.path) == ["/r", "/a.jpg"])
        #expect(origin.connectionCount == 1)
    }

    @Test("a status without a body is sent as given", arguments: [204, 304, 404, 500, 503])
    func status(code: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/s", .status(code))
        #expect(try await statusCode(of: origin.url("/s")) == code)
    }

    @Test("responses take turns and the last one stays")
    func turns() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/t", .status(503), .status(500), .text("at last"))
        var codes: [Int] = []
        for _ in 0..<4 { codes.append(try await statusCode(of: origin.url("/t"))) }
        #expect(codes == [503, 500, 200, 200])
    }

    @Test("a target with a query goes before its path, and the fallback comes last")
    func routing() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("any"))
        origin.serve("/a?x=1", .text("one"))
        origin.serve("/gone", .text("here"))
        origin.serve("/gone")
        #expect(try await Curl.run(origin.url("/a?x=2").absoluteString).text == "any")
        #expect(try await Curl.run(origin.url("/a?x=1").absoluteString).text == "one")
        #expect(try await statusCode(of: origin.url("/gone")) == 404)
        origin.fallback = { .text("\($0.method) \($0.target)") }
        #expect(try await Curl.run(origin.url("/gone?q").absoluteString).text == "GET /gone?q")
        #expect(origin.requestCount("/a") == 2)
        #expect(origin.requestCount("/a?x=1") == 1)
    }

    @Test("a request is recorded completely")
    func record() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a%20b", handler: { OriginResponse(body: $0.body) })
        let curl = try await Curl.run(
            "-H", "X-One: 1", "-H", "X-One: 2", "--data-binary", String(repeating: "ü", count: 50_000), "-H", "Expect:",
            origin.url("/a%20b?c=%2Fd").absoluteString)
        #expect(curl.text == String(repeating: "ü", count: 50_000))
        let request = try #require(try await origin.waitForRequests { $0.last?.ending != nil }.last)
        #expect(request.number == 1 && request.connectionNumber == 1)
        #expect(request.method == "POST" && request.path == "/a%20b" && request.query == "c=%2Fd")
        #expect(request.header("x-one") == "1, 2")
        #expect(request.ending == .answered)
    }

    @Test("requests over one connection share its number; another connection has another")
    func connections() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("hello") }
        _ = try await Curl.run(origin.url("/1").absoluteString, origin.url("/2").absoluteString)
        _ = try await Curl.run(origin.url("/3").absoluteString)
        #expect(origin.requests.map(\.connectionNumber) == [1, 1, 2])
        #expect(origin.connectionCount == 2)
    }

    @Test("HTTPS with the test authority is trusted; without, it is refused")
    func secure() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.serve("/a", OriginResponse(body: body))
        origin.serve("/slow", OriginResponse(body: body).inPieces(of: 5000))
        for url in [origin.url("/a"), origin.url("/slow"), origin.url("/a", host: "localhost")] {
            let trusting = try await Curl.run("--cacert", TestCertificates.authorityPath, url.absoluteString)
            #expect(trusting.status == 0)
            #expect(trusting.output == body)
        }
        #expect(try await Curl.run(origin.url("/a").absoluteString).status == 60)
        #expect(origin.requests.count == 3)
    }

    @Test("many connections at once are all answered")
    func parallel() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { request in .text(request.path).inPieces(of: 2) }
        let url = "http://127.0.0.1:\(origin.port)/[1-200]"
        let curl = try await Curl.run("--parallel", "--parallel-immediate", "--parallel-max", "100", url)
        #expect(curl.status == 0)
        #expect(Set(origin.requests.map(\.path)) == Set((1...200).map { "/\($0)" }))
        #expect(curl.output.count == origin.requests.reduce(0) { $0 + $1.path.utf8.count })
    }

    @Test("a request that breaks HTTP is refused, not recorded, and does no harm")
    func badRequest() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("hello"))
        let arguments = [
            "-o", "/dev/null", "-w", "%{http_code}", "-H", "X: 1\r\nno colon", origin.url("/a").absoluteString,
        ]
        #expect(try await Curl.run(arguments).text == "400")
        #expect(origin.requests.isEmpty)
        #expect(try await Curl.run(origin.url("/a").absoluteString).text == "hello")
    }

    @Test("a header field that cannot be sent is answered as an error of the test, not dropped")
    func badField() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("hello").header("X-Bad", "one\r\ntwo"))
        let curl = try await Curl.run("-i", origin.url("/a").absoluteString)
        #expect(curl.text.hasPrefix("HTTP/1.1 500 "))
        #expect(curl.text.contains("X-Bad"))
    }

    private func statusCode(of url: URL) async throws -> Int {
        let curl = try await Curl.run("-o", "/dev/null", "-w", "%{http_code}", url.absoluteString)
        return Int(curl.text) ?? 0
    }
}
