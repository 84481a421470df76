import Foundation
import Testing
import WebImage
import WebImageCore
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// Clients that send what they should not, or nothing.
@Suite("Hostile clients", .timeLimit(.minutes(5)))
struct HostileClientTests {
    @Test("ten thousand mutated addresses get a picture or a client's error, and the server lives on")
    func mutations() async throws {
        // A mutated host is none of these: the test asks no other machine.
        let server = try TestServer { $0.sources = ["http://127.0.0.1/*"] }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(16, 16, as: .png)))
        let origin = server.origin.url("/a.png").absoluteString
        let seeds = [
            "/unsafe/rs:fill:8:8:1/g:sm/plain/\(origin)@webp",
            "/unsafe/w:8/h:4/c:3:3:nowe:0.1:2/pd:1:2:3:4/plain/\(origin)",
            "/unsafe/bl:1/sh:1/pix:2/wm:0.5:re:1:1:0.2/rot:90/bg:255:0:0/t:10/ex:1:so/dpr:2/z:2/plain/\(origin)@jpg",
            "/unsafe/f:png/q:50/fq:jpg:3/mb:500/exp:99999999999/fn:%C3%A4:1/att:1/cb:x/skp:gif/plain/\(origin)",
        ]
        var random = SeededGenerator(seed: 40)
        let alphabet = Array(":/@%.-_~+*,;=?#[]{}()'\"\\ 0123456789abcxyzäß\u{0}\u{7f}".unicodeScalars)
        let targets = (0..<10_000).map { Self.mutated(seeds[$0 % seeds.count], alphabet, &random) }
        let strange = try await HTTPClient.onThread {
            let client = Mutating(port: server.port)
            return try targets.filter { target in
                // The origin's own answers to a mutated name are the only ones that are no fault of the client's.
                guard let status = try client.status(of: target) else { return false }
                return ![200, 502, 503, 504].contains(status) && !(400..<500 ~= status)
            }
        }
        #expect(strange.isEmpty, "\(strange)")
        #expect(try await server.answer("/health").status == 200)
    }

    private static func mutated(
        _ seed: String, _ alphabet: [UnicodeScalar], _ random: inout SeededGenerator
    ) -> String {
        var scalars = Array(seed.unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<scalars.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: scalars[place] = alphabet.randomElement(using: &random) ?? ":"
            case 1: scalars.insert(alphabet.randomElement(using: &random) ?? ":", at: place)
            case 2: scalars.remove(at: place)
            default:
                let other = Int.random(in: 0..<scalars.count, using: &random)
                let part = scalars[min(place, other)..<max(place, other)].prefix(30)
                scalars.replaceSubrange(place..<place, with: part)
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// One connection after the other: an error of the request itself closes it.
    private final class Mutating {
        private let port: Int
        private var client: HTTPClient?

        init(port: Int) { self.port = port }

        /// nil where the server has closed the connection.
        func status(of target: String) throws -> Int? {
            let client = try client ?? HTTPClient(port: port)
            client.send("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
            // A line break in the target may make two requests of one: no connection is used after an error.
            let answer = client.receive()
            self.client = answer?.status == 200 ? client : nil
            return answer?.status
        }
    }

    @Test("requests in a row on one connection are answered in their order")
    func pipelining() async throws {
        let server = try TestServer()
        let picture = "GET /unsafe/w:9/plain/\(ExampleLoader.address) HTTP/1.1\r\nHost: a\r\n\r\n"
        let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        let types = try await HTTPClient.onThread {
            let client = try HTTPClient(port: server.port)
            client.send(picture + health + picture + health)
            return (0..<4).map { _ in client.receive()?.headers["content-type"] }
        }
        #expect(types == ["image/png", "text/plain; charset=utf-8", "image/png", "text/plain; charset=utf-8"])
    }

    @Test("a client that closes its own half still gets the answer")
    func halfClosed() async throws {
        let server = try TestServer()
        let status = try await HTTPClient.onThread {
            let client = try HTTPClient(port: server.port)
            client.send("GET /unsafe/w:9/plain/\(ExampleLoader.address) HTTP/1.1\r\nHost: a\r\n\r\n")
            client.closeForSending()
            return client.receive()?.status
        }
        #expect(status == 200)
    }

    @Test(
        "a head that two programs may read in two ways is refused, and the connection closed",
        arguments: [
            "Host: a\r\nContent-Length: 0\r\nContent-Length: 5", "Host: a\r\nContent-Length: 5",
            "Host: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked", "Host: a\r\nTransfer-Encoding: chunked",
            "Host: a\r\nTransfer-Encoding: x, chunked", "Host: a\r\nTransfer-Encoding : chunked",
            "Host: a\r\nHost: b", "X-Nothing: a",
        ])
    func smuggled(fields: String) async throws {
        let server = try TestServer()
        let statuses = try await HTTPClient.onThread {
            let client = try HTTPClient(port: server.port)
            client.send("GET /health HTTP/1.1\r\n\(fields)\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            return [client.receive()?.status, client.receive()?.status]
        }
        #expect(statuses == [400, nil])
    }

    @Test("a target may be a whole address")
    func absolute() async throws {
        let server = try TestServer()
        #expect(try await server.answer("http://pictures.example/health").status == 200)
        #expect(try await server.answer("/metrics", method: "HEAD").status == 200)
    }

    @Test("a giant head is refused, and costs no more than its limit")
    func giantHead() async throws {
        let server = try TestServer()
        let status = try await HTTPClient.onThread {
            let client = try HTTPClient(port: server.port)
            client.send("GET /health HTTP/1.1\r\nHost: a\r\n")
            for number in 0..<2000 { client.send("X-\(number): \(String(repeating: "a", count: 500))\r\n") }
            client.send("\r\n")
            return client.receive()?.status
        }
        #expect(status == nil || status == 431 || status == 413)
        #expect(try await server.answer("/health").status == 200)
    }

    @Test("a head that does not come to its end is cut off, however many bytes come")
    func slowHead() {
        let clock = StepClock()
        let times = ConnectionTimes(HTTPServer.Limits(), now: { clock.now })
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for socket in pair { close(socket) } }
        times.awaitHead(on: pair[0])
        clock.pass(.seconds(14))
        times.endLate()
        #expect(write(pair[1], "x", 1) == 1)
        clock.pass(.seconds(2))
        times.endLate()
        var byte: UInt8 = 0
        #expect(recv(pair[1], &byte, 1, 0) == 0)
    }

    @Test("a connection that is forgotten is not cut off")
    func forgotten() {
        let clock = StepClock()
        let times = ConnectionTimes(HTTPServer.Limits(), now: { clock.now })
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for socket in pair { close(socket) } }
        times.awaitHead(on: pair[0])
        times.forget(pair[0])
        clock.pass(.seconds(1000))
        times.endLate()
        #expect(send(pair[1], "x", 1, Int32(MSG_NOSIGNAL)) == 1)
    }
}
