import Foundation
import Glibc
import Testing
import WebImage
import WebImageCore
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// The proxies in front of a fleet, with the configuration that is installed.
@Suite("Proxies of a fleet", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let configuration = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "data/server")

    /// HAProxy with the nodes' ports.
    private final class Proxy: Sendable {
        let port: Int
        private let process: ChildProcess

        init(_ nodes: [Int]) throws {
            port = try FreePort.find()
            var environment = ["WEBIMAGE_FRONT": "127.0.0.1:\(port)"]
            for (number, node) in nodes.enumerated() {
                environment["WEBIMAGE_NODE_\(number + 1)"] = "127.0.0.1:\(node)"
            }
            process = try ChildProcess(
                URL(filePath: "/usr/sbin/haproxy"),
                ["-f", ProxyTests.configuration.appending(path: "haproxy.cfg").path],
                environment: environment)
            while (try? HTTPClient(port: port)) == nil { poll(nil, 0, 5) }
        }

        deinit {
            kill(process.identifier, SIGKILL)
            _ = ChildProcess.status(of: process.identifier)
        }
    }

    /// The node that answers for each of some sources; each node tells another age.
    ///
    /// All requests come on one connection: else the end of one may be seen after the next has begun, which then goes elsewhere
    /// because its node seems to have more than its share.
    private static func owners(_ proxy: Proxy, _ origin: LoopbackOrigin, _ options: String) async throws -> [Int] {
        try await HTTPClient.onThread {
            let client = try HTTPClient(port: proxy.port)
            return (0..<200).map { number in
                let source = origin.url("/\(number).png").absoluteString
                client.send("GET /unsafe\(options)/plain/\(source) HTTP/1.1\r\nHost: test\r\n\r\n")
                let answer = client.receive()
                #expect(answer?.status == 200)
                return answer?.headers["cache-control"]?.last?.wholeNumberValue ?? -1
            }
        }
    }

    @Test(
        "all sizes of a source meet one node; of a node that goes and comes only its own share moves, without an error")
    func shares() async throws {
        let origin = try LoopbackOrigin()
        let picture = OriginResponse.picture(try ServerPicture.data(8, 8, as: .png))
        origin.fallback = { _ in picture }
        let ports = try (0..<3).map { _ in try FreePort.find() }
        func node(_ number: Int) throws -> TestServer {
            try TestServer(origin: origin) {
                $0.listen = "127.0.0.1:\(ports[number])"
                $0.age = 1000 + number
            }
        }
        var nodes: [TestServer?] = try (0..<3).map { try node($0) }
        let proxy = try Proxy(ports)
        let before = try await Self.owners(proxy, origin, "/w:4")
        #expect(Set(before) == [0, 1, 2])
        for options in ["/rs:fill:2:2:1/g:sm", "/w:3/f:jpg/cb:x"] {
            #expect(try await Self.owners(proxy, origin, options) == before)
        }
        await nodes[1]?.server.stop()
        nodes[1] = nil
        let without = try await Self.owners(proxy, origin, "/w:5")
        for (old, new) in zip(before, without) { #expect(old == 1 ? new != 1 : new == old) }
        nodes[1] = try node(1)
        // The proxy looks once in a second.
        while try await Self.owners(proxy, origin, "/w:6") != before {}
        withExtendedLifetime(nodes) {}
    }

    @Test("metrics and purges are not for the whole world")
    func closed() async throws {
        let server = try TestServer { $0.trustedProxies = ["127.0.0.0/8"] }
        let proxy = try Proxy([server.port, server.port, server.port])
        #expect(try await HTTPClient.answer(port: proxy.port, "/metrics").status == 403)
        #expect(try await HTTPClient.answer(port: proxy.port, "/health").status == 200)
        let source = "/unsafe/plain/\(ExampleLoader.address)"
        #expect(try await HTTPClient.answer(port: proxy.port, source, method: "PURGE").status == 200)
        // An edge in front of it tells of strangers.
        let stranger = try await HTTPClient.answer(
            port: proxy.port, source, method: "PURGE", ["X-Forwarded-For": "8.8.8.8"])
        #expect(stranger.status == 403)
    }
}
