import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Other places of a host", .timeLimit(.minutes(5)))
struct AltSvcTests {
    /// A host, and another place that serves it.
    private let (host, place): (LoopbackOrigin, LoopbackOrigin)
    private let downloader = WebImageDownloader.direct { $0.altSvcFile = "" }

    init() throws {
        (host, place) = (try LoopbackOrigin(tls: true), try LoopbackOrigin(tls: true))
        let field = "http%2F1.1=\":\(place.port)\"; ma=1000"
        host.serve("/learn", OriginResponse.text("host").header("Alt-Svc", field))
        host.fallback = { _ in .text("host") }
        place.fallback = { _ in .text("place") }
    }

    private func load(
        _ path: String, by downloader: WebImageDownloader, isLenient: Bool = false
    ) async throws -> String {
        var request = ImageLoadRequest(url: host.url(path, host: "localhost"))
        request.allowsInvalidCertificates = isLenient
        return String(decoding: try await RecordedLoad(request, by: downloader).response.data, as: UTF8.self)
    }

    // MARK: The field

    private static func offer(
        _ version: AlternativeService.Version, _ host: String, _ port: Int, maxAge: Int = 86_400, persists: Bool = false
    ) -> AltSvcField.Offer {
        let service = AlternativeService(version: version, host: host, port: port)
        return AltSvcField.Offer(service: service, maxAge: maxAge, persists: persists)
    }

    @Test("places are read in the order of the field, and what is unknown is left out")
    func field() {
        let field = AltSvcField(
            "h3-29=\":1\", h3=\":443\"; ma=10; persist=1; own=\"a;b,c\" , h2=\"Alt.Example:8443\", "
                + "http%2F1.1=\"[::1]:8080\";ma=\"20\", h2=\"alt.example\", h2=\"a b:1\", h2=\":0\", h2=\":70000\", , h2",
            host: "A.example")
        let expected = [
            Self.offer(.http3, "a.example", 443, maxAge: 10, persists: true), Self.offer(.http2, "alt.example", 8443),
            Self.offer(.http1, "[::1]", 8080, maxAge: 20),
        ]
        #expect(field?.offers == expected)
        #expect(AltSvcField("clear", host: "a.example")?.offers == [])
        for nothing in ["", "Clear", "h2", "h2=", "h2=:443x", "h9=\":443\"", ",;,"] {
            #expect(AltSvcField(nothing, host: "a.example") == nil, "\(nothing)")
        }
    }

    @Test("the table is read as it was written, and damage is ignored")
    func text() {
        var table = AltSvcTable()
        let now = 1_800_000_000
        for port in 1...3 {
            let service = AlternativeService(version: .http2, host: "alt.example", port: 100 + port)
            table[.init(host: "a.example", port: port)] = [
                .init(service: service, expiry: now + port, persists: port == 1)
            ]
        }
        let text = table.text(at: now)
        #expect(text.contains("h1 a.example 1 h2 alt.example 101 \"20270115 08:00:01\" 1 0\n"))
        #expect(AltSvcTable(text: text) == table)
        #expect(AltSvcTable(text: table.text(at: now + 3)).isEmpty)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var bytes = Array(text.utf8)
            for _ in 0..<5 {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = .random(in: 9...126, using: &generator)
            }
            _ = AltSvcTable(text: String(decoding: bytes, as: UTF8.self))
            _ = AltSvcField(String(decoding: bytes, as: UTF8.self), host: "a")
        }
    }

    // MARK: Loads

    @Test("a host is asked at the place that it has named, which is told whom it stands for")
    func otherPlace() async throws {
        #expect(try await load("/learn", by: downloader) == "host")
        let response = try await RecordedLoad(host.url("/a", host: "localhost"), by: downloader).response
        #expect(response.data == Data("place".utf8))
        #expect(response.http?.url == host.url("/a", host: "localhost"))
        let request = try #require(place.requests.last)
        #expect(request.header("host") == "localhost:\(host.port)")
        #expect(request.header("alt-used") == "localhost:\(place.port)")
        // Another host, and a downloader that does not ask for it.
        #expect(try await RecordedLoad(host.url("/b"), by: downloader).response.data == Data("host".utf8))
        let usual = WebImageDownloader.direct()
        for path in ["/learn", "/c"] { #expect(try await load(path, by: usual) == "host") }
        #expect(host.requests.allSatisfy { $0.header("alt-used") == nil })
    }

    @Test("the next downloader knows the places from the file, and so does curl")
    func file() async throws {
        let directory = try CacheDirectory()
        let file = directory.path + "/places"
        #expect(try await load("/learn", by: WebImageDownloader.direct { $0.altSvcFile = file }) == "host")
        #expect(try await load("/a", by: WebImageDownloader.direct { $0.altSvcFile = file }) == "place")
        let address = host.url("/curl", host: "localhost").absoluteString
        let curl = try await Curl.run("--alt-svc", file, "--cacert", TestCertificates.authorityPath, address)
        #expect(curl.text == "place")
    }

    @Test("a place over HTTP/2 is asked in that")
    func http2() async throws {
        let server = try await HTTP2Server(["a": Data("h2".utf8)])
        let port = try #require(try server.url("a").port)
        host.serve("/learn", OriginResponse.text("host").header("Alt-Svc", "h2=\":\(port)\""))
        _ = try await load("/learn", by: downloader)
        let response = try await RecordedLoad(host.url("/a", host: "localhost"), by: downloader).response
        #expect(response.data == Data("h2".utf8) && response.metrics?.networkProtocolName == "h2")
        _ = try await server.stop()
    }

    @Test("a place that is none costs no load, and is left alone from then on")
    func broken() async throws {
        let plain = try LoopbackOrigin()
        host.serve("/learn", OriginResponse.text("host").header("Alt-Svc", "h2=\":\(plain.port)\""))
        _ = try await load("/learn", by: downloader)
        for path in ["/a", "/b", "/c"] { #expect(try await load(path, by: downloader) == "host") }
        #expect(plain.connectionCount == 1 && plain.requests.isEmpty)
        #expect(host.requests.count == 4)
    }

    @Test("a place that does not serve the host says so, and the host is asked")
    func misdirected() async throws {
        place.fallback = { _ in .status(421) }
        _ = try await load("/learn", by: downloader)
        for path in ["/a", "/b"] { #expect(try await load(path, by: downloader) == "host") }
        #expect(place.requests.count == 1)
        // The host's own answer is its answer.
        host.serve("/own", .status(421))
        let error = await RecordedLoad(host.url("/own", host: "localhost"), by: downloader).error
        #expect(error?.statusCode == 421)
    }

    @Test("a host may take its places back")
    func cleared() async throws {
        place.serve("/clear", OriginResponse.text("place").header("Alt-Svc", "clear"))
        _ = try await load("/learn", by: downloader)
        #expect(try await load("/clear", by: downloader) == "place")
        #expect(try await load("/a", by: downloader) == "host")
    }

    @Test("a load that accepts any certificate neither learns of places nor goes there, and http names none")
    func untrusted() async throws {
        _ = try await load("/learn", by: downloader, isLenient: true)
        #expect(try await load("/a", by: downloader) == "host")
        _ = try await load("/learn", by: downloader)
        #expect(try await load("/b", by: downloader, isLenient: true) == "host")
        let plain = try LoopbackOrigin()
        plain.fallback = { [place] _ in
            OriginResponse.text("plain").header("Alt-Svc", "http%2F1.1=\":\(place.port)\"")
        }
        for path in ["/a", "/b"] {
            let response = try await RecordedLoad(plain.url(path), by: downloader).response
            #expect(response.data == Data("plain".utf8))
        }
    }

    @Test("a redirect to another host leaves the place")
    func redirect() async throws {
        place.serve("/away", .redirect(to: host.url("/there").absoluteString))
        _ = try await load("/learn", by: downloader)
        #expect(try await load("/away", by: downloader) == "host")
        #expect(host.requests.last?.header("alt-used") == nil)
    }

    @Test("a file that cannot be kept fails loads, and the error names it")
    func unusableFile() async throws {
        let downloader = WebImageDownloader.direct { $0.altSvcFile = "/dev/null/places" }
        let error = try #require(await RecordedLoad(host.url("/a"), by: downloader).error)
        #expect(error.code == .fileFailed)
        #expect(error.reason.contains("/dev/null/places") && error.reason.contains("altSvcFile"), "\(error)")
    }
}
