import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Proxies, and keys that stay with their hosts", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let answer: [RawOrigin.Step] = [
        .receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na"),
    ]

    @Test("a proxy's own password goes to the proxy, and to no host through its tunnel")
    func proxyPassword() async throws {
        let url = try parsed("http://no-such-host.invalid/a.jpg")
        let proxy = try RawOrigin(Self.answer)
        let downloader = WebImageDownloader.direct { $0.proxy = "http://ann:secret@127.0.0.1:\(proxy.port)" }
        _ = try await RecordedLoad(url, by: downloader).response
        let head = try #require(proxy.receivedHeads.first)
        #expect(head.contains("Proxy-Authorization: Basic YW5uOnNlY3JldA==\r\n"), "\(head)")
        #expect(!head.contains("\r\nAuthorization"))
        let refusing = try RawOrigin([
            .receiveHead, .send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"),
        ])
        downloader.config.proxy = "http://ann:secret@127.0.0.1:\(refusing.port)"
        let error = try #require(
            await RecordedLoad(try parsed("https://no-such-host.invalid/a.jpg"), by: downloader).error)
        #expect(error.code == .cannotConnect && !error.description.contains("secret"), "\(error)")
    }

    @Test("a SOCKS proxy looks hosts up, and its refusal is told")
    func socks() async throws {
        // Version 5; no authentication; the host cannot be reached.
        let proxy = try RawOrigin([
            .send(Data([5, 0])), .send(Data([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])), .stall,
        ])
        let downloader = WebImageDownloader.direct { $0.proxy = "socks5h://127.0.0.1:\(proxy.port)" }
        let error = try #require(
            await RecordedLoad(try parsed("http://no-such-host.invalid/a.jpg"), by: downloader).error)
        #expect(error.code == .cannotConnect && error.kind == .transient, "\(error)")
        #expect(error.reason.contains("proxy"), "\(error)")
    }

    @Test("without a setting the environment's proxy is asked, but for the hosts of no_proxy")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let answer: [RawOrigin.Step] = [
                .receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy"),
            ]
            let (proxy, origin) = (try RawOrigin(answer), try LoopbackOrigin())
            origin.fallback = { _ in .text("origin") }
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            setenv("no_proxy", "localhost", 1)
            let downloader = WebImageDownloader.direct { $0.proxy = nil }
            let expected = [("127.0.0.1", "proxy"), ("localhost", "origin")]
            for (host, text) in expected {
                let load = RecordedLoad(origin.url("/a", host: host), by: downloader)
                #expect(try await load.response.data == Data(text.utf8))
            }
            downloader.config.proxy = ""
            let direct = RecordedLoad(origin.url("/b"), by: downloader)
            #expect(try await direct.response.data == Data("origin".utf8))
        }
    }

    @Test("after a redirect to another host its own keys count: pins and client certificates")
    func keysAfterRedirect() async throws {
        let origin = try LoopbackOrigin(tls: true)
        let target = origin.url("/there", host: "localhost").absoluteString
        origin.serve("/here", .redirect(to: target))
        origin.serve("/there", .text("x"))
        // The first host has no pins; the second has one that does not fit.
        let downloader = WebImageDownloader.direct()
        downloader.config.pinnedPublicKeys = ["localhost": []]
        let pinned = try #require(await RecordedLoad(origin.url("/here"), by: downloader).error)
        #expect(pinned.reason.contains("pinnedPublicKeys") && pinned.reason.contains("localhost"), "\(pinned)")
        downloader.config.pinnedPublicKeys = [:]
        downloader.config.clientCertificates = [
            "localhost": .init(certificateFile: "/nowhere/c.pem", keyFile: "/nowhere/k.pem")
        ]
        let certified = try #require(await RecordedLoad(origin.url("/here"), by: downloader).error)
        #expect(certified.reason.contains("/nowhere/c.pem"), "\(certified)")
    }

    @Test("authorities of a file are trusted in place of the system's, for each downloader by itself")
    func authorities() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.fallback = { _ in .text("x") }
        _ = try await RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct()).response
        let usual = WebImageDownloader.direct { $0.caCertificateFile = nil }
        #expect(await RecordedLoad(origin.url("/a"), by: usual).error?.code == .secureConnectionFailed)
        // A change counts for the connections that are there, too.
        usual.config.caCertificateFile = TestCertificates.authorityPath
        _ = try await RecordedLoad(origin.url("/a"), by: usual).response
        usual.config.caCertificateFile = nil
        #expect(await RecordedLoad(origin.url("/a"), by: usual).error?.code == .secureConnectionFailed)
    }
}
