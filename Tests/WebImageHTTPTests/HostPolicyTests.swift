import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Servers that load strangers' addresses", .timeLimit(.minutes(5)))
struct HostPolicyTests {
    @Test(
        "an address of the internet is public, any other is not",
        arguments: [
            ("1.1.1.1", true), ("93.184.216.34", true), ("172.32.0.1", true), ("2606:4700::1111", true),
            ("0.0.0.0", false), ("10.1.2.3", false), ("100.64.0.1", false), ("127.0.0.1", false),
            ("127.255.255.254", false), ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false),
            ("192.168.1.1", false), ("198.18.0.1", false), ("224.0.0.1", false), ("255.255.255.255", false),
            ("::", false), ("::1", false), ("fe80::1", false), ("fe80::1%eth0", false), ("fc00::1", false),
            ("fd00:ec2::254", false), ("ff02::1", false), ("2001:db8::1", false), ("2001::1", false),
            ("::ffff:127.0.0.1", false), ("::ffff:1.1.1.1", true), ("64:ff9b::a9fe:a9fe", false),
            ("64:ff9b::101:101", true), ("2002:7f00:1::", false), ("2002:101:101::", true), ("::127.0.0.1", false),
            ("::1.1.1.1", false), ("::ffff:0:1.1.1.1", false), ("64:ff9b:1::7f00:1", false),
            ("64:ff9b:1::101:101", false), ("100::1", false), ("5f00::1", false), ("3fff::1", false),
            ("3fff:fff::1", false), ("3fff:1000::1", true), ("fec0::1", false), ("2001:1ff::1", false),
            ("2001:200::1", true), ("4000::1", false), ("2606:4700::5efe:127.0.0.1", false),
            ("2606:4700::200:5efe:10.0.0.1", false), ("2606:4700::5efe:1.1.1.1", true), ("192.88.99.1", false),
            ("192.0.0.8", false), ("198.19.255.255", false), ("203.0.113.1", false), ("240.0.0.1", false),
            ("100.127.255.255", false), ("100.128.0.1", true),
        ])
    func address(text: String, isPublic: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == isPublic)
    }

    @Test("what is no address is none", arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "g::1"])
    func noAddress(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test(
        "this machine is refused by whatever name",
        arguments: ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "0", "[::ffff:127.0.0.1]", "[::1]"])
    func denied(host: String) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a", .text("x"))
        let url = try parsed("http://\(host):\(origin.port)/a")
        let downloader = WebImageDownloader.direct { $0.deniesPrivateAddresses = true }
        let error = try #require(await RecordedLoad(url, by: downloader).error)
        #expect(error.code == .accessDenied, "\(error)")
        #expect(error.kind == .policy)
        #expect(error.reason.contains("deniesPrivateAddresses"))
        #expect(origin.requests.isEmpty && origin.connectionCount == 0)
    }

    @Test("a connection that is there is no way around it")
    func reuse() async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("x") }
        let downloader = WebImageDownloader.direct()
        _ = try await RecordedLoad(origin.url("/a"), by: downloader).response
        downloader.config.deniesPrivateAddresses = true
        #expect(await RecordedLoad(origin.url("/b"), by: downloader).error?.code == .accessDenied)
        downloader.config.deniesPrivateAddresses = false
        _ = try await RecordedLoad(origin.url("/c"), by: downloader).response
        #expect(origin.requests.map(\.path) == ["/a", "/c"])
    }

    // MARK: Keys

    /// The hash of the test server's public key.
    private static let key = "sha256//TV+GcIdHzRkDcIi6bAVO7ZZOU38Ch134jJPYfwdUA5A="

    @Test("a server with another key than the pinned one is refused, a host without pins is not asked")
    func pins() async throws {
        let origin = try LoopbackOrigin(tls: true)
        origin.serve("/a", .text("x"))
        let other = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for (keys, isAccepted) in [([other], false), ([], false), ([other, Self.key], true)] {
            let downloader = WebImageDownloader.direct { $0.pinnedPublicKeys = ["127.0.0.1": Set(keys)] }
            let error = await RecordedLoad(origin.url("/a"), by: downloader).error
            #expect((error == nil) == isAccepted, "\(String(describing: error))")
            if let error {
                #expect(error.code == .secureConnectionFailed && error.kind == .permanent)
                #expect(error.reason.contains("pinnedPublicKeys"), "\(error)")
            }
            _ = try await RecordedLoad(origin.url("/a", host: "localhost"), by: downloader).response
        }
    }

    @Test("A50 a client certificate is shown to its host, and one that is not there is an error that names it")
    func clientCertificate() async throws {
        let origin = try LoopbackOrigin(tls: true, asksForClientCertificate: true)
        origin.serve("/a", .text("x"))
        let certificate = WebImageDownloaderConfig.ClientCertificate(
            certificateFile: TestCertificates.serverCertificatePath, keyFile: TestCertificates.serverKeyPath)
        let with = WebImageDownloader.direct { $0.clientCertificates = ["127.0.0.1": certificate] }
        _ = try await RecordedLoad(origin.url("/a"), by: with).response
        let missing = WebImageDownloader.direct {
            $0.clientCertificates = ["127.0.0.1": .init(certificateFile: "/nowhere/c.pem", keyFile: "/nowhere/k.pem")]
        }
        let error = try #require(await RecordedLoad(origin.url("/a"), by: missing).error)
        #expect(error.code == .secureConnectionFailed)
        #expect(error.reason.contains("/nowhere/c.pem"), "\(error)")
        _ = try await RecordedLoad(origin.url("/a", host: "localhost"), by: missing).response
    }
}
