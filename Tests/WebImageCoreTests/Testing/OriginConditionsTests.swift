import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Loopback origin with conditions on the request", .timeLimit(.minutes(5)))
struct OriginConditionsTests {
    private let origin: LoopbackOrigin
    private let address: String

    init() throws {
        origin = try LoopbackOrigin()
        address = origin.url("/a").absoluteString
    }

    private func status(_ arguments: String...) async throws -> String {
        try await Curl.run(["-o", "/dev/null", "-w", "%{http_code} %{size_download}"] + arguments + [address]).text
    }

    @Test("a client that has the picture by its tag gets 304 without a body")
    func tag() async throws {
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\""))
        #expect(try await status() == "200 7")
        #expect(try await status("-H", "If-None-Match: \"1\"") == "304 0")
        #expect(try await status("-H", "If-None-Match: \"0\", W/\"1\"") == "304 0")
        #expect(try await status("-H", "If-None-Match: *") == "304 0")
        #expect(try await status("-H", "If-None-Match: \"2\"") == "200 7")
        #expect(try await Curl.run("-i", "-H", "If-None-Match: \"1\"", address).text.contains("ETag: \"1\"\r\n"))
    }

    @Test("a client that has the picture of that very date gets 304, unless its tag is another")
    func date() async throws {
        let date = "Fri, 15 Jan 2027 08:00:00 GMT"
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\"", lastModified: date))
        #expect(try await status("-H", "If-Modified-Since: \(date)") == "304 0")
        #expect(try await status("-H", "If-Modified-Since: Fri, 15 Jan 2027 08:00:01 GMT") == "200 7")
        #expect(try await status("-H", "If-Modified-Since: \(date)", "-H", "If-None-Match: \"2\"") == "200 7")
    }

    @Test("a protected picture requires the user's credential, and the origin asks for it")
    func user() async throws {
        origin.serve("/a", OriginResponse.text("picture").protected(user: "ann", password: "p:w"))
        #expect(try await status() == "401 0")
        #expect(try await status("-u", "ann:wrong") == "401 0")
        #expect(try await status("-u", "ann:p:w") == "200 7")
        #expect(try await Curl.run("-i", address).text.contains("WWW-Authenticate: Basic realm="))
    }

    @Test("cookies go out, and come back as a table")
    func cookies() async throws {
        origin.serve("/a", OriginResponse.text("picture").cookie("id", "1").cookie("b", "2", attributes: "Path=/b"))
        let head = try await Curl.run("-i", "-b", "id=0; theme=dark=er; flag", address).text
        #expect(head.contains("Set-Cookie: id=1; Path=/\r\n"))
        #expect(head.contains("Set-Cookie: b=2; Path=/b\r\n"))
        #expect(origin.requests.first?.cookies == ["id": "0", "theme": "dark=er", "flag": ""])
    }

    @Test("an origin asks for a client's certificate when told to, and serves those without one")
    func clientCertificate() async throws {
        for asks in [false, true] {
            let origin = try LoopbackOrigin(tls: true, asksForClientCertificate: asks)
            origin.serve("/a", .text("picture"))
            let curl = try await Curl.run(
                "-v", "--stderr", "-", "--cacert", TestCertificates.authorityPath, origin.url("/a").absoluteString)
            #expect(curl.text.contains("picture"))
            #expect(curl.text.contains("Request CERT") == asks)
        }
    }
}
