import Foundation
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// Servers whose certificate, or whose handshake, is wrong.
@Suite("Bad input from servers over TLS", .timeLimit(.minutes(5)))
struct CertificateFaultTests {
    private static func path(_ name: String) -> String { Fixtures.path("certificates/\(name).pem") }

    private static func downloader(connectTimeout: Duration = .seconds(60)) -> WebImageDownloader {
        .direct {
            $0.caCertificateFile = path("authority")
            $0.connectTimeout = connectTimeout
        }
    }

    @Test(
        "a certificate that is not valid now, for this host or up to an authority is refused, for a reason",
        arguments: [
            ("expired", "expired"), ("not-yet-valid", "not yet valid"), ("other-host", "127.0.0.1"),
            ("incomplete-chain", "unable to get local issuer certificate"),
        ])
    func certificate(name: String, reason: String) async throws {
        let origin = try LoopbackOrigin(certificatePath: Self.path(name))
        let good = try LoopbackOrigin(certificatePath: Self.path("whole-chain"))
        for origin in [origin, good] { origin.fallback = { _ in .text("x") } }
        let downloader = Self.downloader()
        let load = RecordedLoad(origin.url("/a"), by: downloader)
        let error = try #require(await load.error)
        #expect(load.hasEndedOnce)
        #expect(error.code == .secureConnectionFailed && error.kind == .permanent, "\(error)")
        #expect(error.reason.contains(reason), "\(error)")
        #expect(
            error.reason.contains("127.0.0.1 port \(origin.port)") && error.reason.contains("; check it"), "\(error)")
        #expect(origin.requests.isEmpty)
        #expect(try await RecordedLoad(good.url("/a"), by: downloader).response.data == Data("x".utf8))
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("the name in a certificate cannot command the terminal that the error is printed on")
    func nameWithControls() async throws {
        let path = Self.path("name-with-controls")
        let origin = try LoopbackOrigin(certificatePath: path)
        let load = RecordedLoad(origin.url("/a"), by: WebImageDownloader.direct { $0.caCertificateFile = path })
        let error = try #require(await load.error)
        #expect(error.code == .secureConnectionFailed && error.reason.contains("evil"), "\(error)")
        let controls = "\(error)".unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.isEmpty, "\(Array("\(error)".utf8))")
    }

    /// The beginning of a handshake's second message, of which nothing more comes.
    private static let hello = Data([0x16, 3, 3, 0, 0x7A, 2, 0, 0, 0x76, 3, 3]) + Data(count: 20)
    private static let alert = Data([0x15, 3, 3, 0, 2, 2, 40])
    private static let receive = RawOrigin.Step.receive { !$0.isEmpty }

    struct Handshake: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let codes: Set<WebImageError.Code>
        let script: [RawOrigin.Step]

        /// The limit of time for it, which is short only where it is to be passed.
        var connectTimeout: Duration { codes.contains(.timedOut) ? .seconds(0.5) : .seconds(60) }
    }

    static let handshakes = [
        // A reset may come before the client has seen that it is connected.
        Handshake(testDescription: "closed at once", codes: lost.union([.cannotConnect]), script: []),
        Handshake(testDescription: "reset at once", codes: lost.union([.cannotConnect]), script: [.reset]),
        Handshake(testDescription: "cut after the client's hello", codes: lost, script: [receive]),
        Handshake(testDescription: "cut within the server's hello", codes: lost, script: [receive, .send(hello)]),
        Handshake(
            testDescription: "reset within the server's hello", codes: lost, script: [receive, .send(hello), .reset]),
        Handshake(
            testDescription: "ended by an alert", codes: [.secureConnectionFailed],
            script: [receive, .send(alert), .stall]),
        Handshake(
            testDescription: "answered by http", codes: [.secureConnectionFailed],
            script: [receive, .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .stall]),
        Handshake(testDescription: "silent", codes: [.timedOut], script: [receive, .stall]),
        Handshake(
            testDescription: "silent within the hello", codes: [.timedOut], script: [receive, .send(hello), .stall]),
    ]

    private static let lost: Set<WebImageError.Code> = [.secureConnectionFailed, .connectionLost]

    @Test("a handshake that is cut is no distrust, and the next load works", arguments: handshakes)
    func handshake(_ handshake: Handshake) async throws {
        let origin = try RawOrigin(handshake.script)
        let good = try LoopbackOrigin(certificatePath: Self.path("whole-chain"))
        good.fallback = { _ in .text("x") }
        let downloader = Self.downloader(connectTimeout: handshake.connectTimeout)
        let load = RecordedLoad(try parsed("https://127.0.0.1:\(origin.port)/a"), by: downloader)
        let error = try #require(await load.error)
        #expect(load.hasEndedOnce)
        #expect(handshake.codes.contains(error.code) && error.kind == .transient, "\(error)")
        #expect(error.reason.contains("127.0.0.1 port \(origin.port)") && error.reason.contains(";"), "\(error)")
        downloader.config.connectTimeout = .seconds(60)
        #expect(try await RecordedLoad(good.url("/a"), by: downloader).response.data == Data("x".utf8))
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("after all of it no descriptor and no thread is left")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            try await leavingNothing {
                for name in ["expired", "other-host", "incomplete-chain"] {
                    let origin = try LoopbackOrigin(certificatePath: Self.path(name))
                    _ = await RecordedLoad(origin.url("/a"), by: Self.downloader()).error
                }
                for handshake in Self.handshakes {
                    let origin = try RawOrigin(handshake.script)
                    let url = try parsed("https://127.0.0.1:\(origin.port)/a")
                    let downloader = Self.downloader(connectTimeout: handshake.connectTimeout)
                    _ = await RecordedLoad(url, by: downloader).error
                }
            }
        }
    }
}
