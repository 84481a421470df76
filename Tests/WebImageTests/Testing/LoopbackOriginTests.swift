import Foundation
import Testing
import WebImageTesting

@Suite("Loopback origin", .timeLimit(.minutes(1)))
struct LoopbackOriginTests {
    private let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test("a body arrives byte for byte, with its content type")
    func plainBody() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(body, contentType: "image/jpeg"))
        let curl = try await Curl.run("-i", "--http1.1", "-o", "-", origin.url("/a.jpg").absoluteString)
        #expect(curl.status == 0)
        #expect(curl.output.suffix(body.count) == body)
        let head = String(decoding: curl.output.dropLast(body.count), as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.contains("Content-Type: image/jpeg\r\n"))
        #expect(head.contains("Content-Length: 100000\r\n"))
    }

    @Test("scripted bodies arrive byte for byte", arguments: [1, 1024, 70_000, 200_000])
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
}
