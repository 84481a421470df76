import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("The one spelling of a host", .timeLimit(.minutes(5)))
struct HostSpellingTests {
    @Test(
        "all spellings of a host are one",
        arguments: [
            ("h1.example", "h1.example"), ("H1.Example", "h1.example"), ("h1.example.", "h1.example"),
            ("h1.example..", "h1.example"), ("h1%2eexample", "h1.example"), ("%681.example%2E", "h1.example"),
            ("127.0.0.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("0x7f.1", "127.0.0.1"),
            ("0X7F.1%2e", "127.0.0.1"),
            ("2130706433", "127.0.0.1"), ("%31%32%37.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("::1", "::1"),
            ("[0:0:0:0:0:0:0:1]", "::1"), ("[2001:DB8::A]", "2001:db8::a"), ("a_b-c.example", "a_b-c.example"),
            ("h%2531.example", "h%2531.example"), ("", ""), ("a b", "a b"), ("1.2.3.4.5", "1.2.3.4.5"),
        ])
    func spelling(host: String, expected: String) { #expect(HostSpelling.of(host) == expected) }

    @Test(
        "nothing else of an address changes",
        arguments: [
            ("https://H1.Example.:8443/A%20b?q=%C3%A4#F", "https://h1.example:8443/A%20b?q=%C3%A4#F"),
            ("https://ada:s%2F@H1.example/", "https://ada:s%2F@h1.example/"), ("http://[0::1]:80/", "http://[::1]:80/"),
            ("https://h1.example/A", "https://h1.example/A"), ("file:///A", "file:///A"),
        ])
    func address(text: String, expected: String) throws {
        #expect(try parsed(text).withPlainHost.absoluteString == expected)
    }

    @Test("what an app sets for a host is found by any spelling of both")
    func settings() {
        let values = ["H1.example.": 1, "[0::1]": 2]
        #expect(values.value(forHost: "h1%2Eexample") == 1 && values.value(forHost: "::1") == 2)
        #expect(values.value(forHost: "h2.example") == nil && [String: Int]().value(forHost: "h1.example") == nil)
    }

    private static let spellings = ["localhost", "localhost.", "LOCALHOST", "loc%61lhost", "localhost%2e"]

    @Test("a pin is asked for each spelling, also that of a redirect")
    func pins() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.fallback = { _ in .text("x") }
        let downloader = WebImageDownloader.direct { $0.pinnedPublicKeys = ["localhost": []] }
        for (number, host) in Self.spellings.enumerated() {
            let address = "https://\(host):\(origin.port)/\(number)"
            origin.serve("/from\(number)", .redirect(to: address))
            for url in [try parsed(address), origin.url("/from\(number)")] {
                let error = await RecordedLoad(url, by: downloader).error
                #expect(error?.reason.contains("pinnedPublicKeys") == true, "\(host): \(String(describing: error))")
            }
        }
        #expect(origin.requests.allSatisfy { $0.path.hasPrefix("/from") })
    }

    @Test("cookies, and the wish for https, are those of the host")
    func memory() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.serve(
            "/set", .text("x").cookie("id", "1").header("Strict-Transport-Security", "max-age=1000"))
        origin.fallback = { _ in .text("x") }
        let downloader = WebImageDownloader.direct()
        var request = ImageLoadRequest(url: origin.url("/set", host: "localhost"))
        request.usesCookies = true
        _ = try await RecordedLoad(request, by: downloader).response
        for host in Self.spellings {
            request.url = try parsed("http://\(host):\(origin.port)/a")
            let response = try await RecordedLoad(request, by: downloader).response
            #expect(response.http?.url == origin.url("/a", host: "localhost"))
            #expect(origin.requests.last?.cookies == ["id": "1"], "\(host)")
        }
    }

    @Test("a client certificate is shown to the host in each spelling")
    func certificate() async throws {
        let origin = try LoopbackOrigin(tls: true, asksForClientCertificate: true)
        origin.fallback = { _ in .text("x") }
        let certificate = WebImageDownloaderConfig.ClientCertificate(
            certificateFile: TestCertificates.serverCertificatePath, keyFile: TestCertificates.serverKeyPath)
        let downloader = WebImageDownloader.direct { $0.clientCertificates = ["localhost": certificate] }
        for host in Self.spellings {
            let url = try parsed("https://\(host):\(origin.port)/\(host.count)")
            _ = try await RecordedLoad(url, by: downloader).response
            #expect(downloader.credential(for: url)?.user == "client certificate")
        }
    }

    @Test("a URL that has failed has failed in each spelling of its host")
    func failedURLs() throws {
        let failed = FailedURLs(clock: ContinuousClock())
        failed.insert(try parsed("https://h1.example/a"), .cancelled())
        for host in ["H1.example", "h1.example.", "h1%2eexample"] {
            #expect(failed[try parsed("https://\(host)/a#b")] != nil, "\(host)")
        }
        #expect(failed[try parsed("https://h2.example/a")] == nil)
    }
}
