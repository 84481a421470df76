import Foundation
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

/// Everything that a server may do wrong in HTTP/2, from frames that are no frames to floods of good ones.
@Suite("Bad input from servers over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2FaultTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// The kinds of error that it may lead to, where the moment decides; none for a body that arrives.
        let codes: [WebImageError.Code]
        let script: [RawOrigin.Step]

        var testDescription: String { name }

        /// How long a server may say nothing.
        var patience: Duration { codes.contains(.timedOut) ? .seconds(0.5) : .seconds(60) }

        init(_ name: String, _ codes: WebImageError.Code..., then script: RawOrigin.Step...) {
            self.init(name, codes, script)
        }

        init(_ name: String, _ codes: [WebImageError.Code], _ script: [RawOrigin.Step]) {
            self.name = name
            self.codes = codes
            self.script = [.receiveHTTP2Request, .send(.settings)] + script
        }
    }

    /// The end of a connection whose server breaks the rules.
    private static let broken: [WebImageError.Code] =
        CurlVersion.waitsForBrokenServers ? [.timedOut] : [.connectionLost]

    static let cases = [
        Case("nothing", .timedOut, then: .stall),
        Case("a connection that ends before the answer", .connectionLost),
        Case("a connection that is reset before the answer", .connectionLost, then: .reset),
        Case("a connection that takes no request", .connectionLost, then: .send(.goAway(.noError, lastStream: 0))),
        Case(
            "a connection that is given up for its client", .connectionLost,
            then: .send(.goAway(.enhanceYourCalm, lastStream: 0))),
        Case(
            "a connection that is given up within the body", .connectionLost,
            then: .send(.head(length: 9), .data("abc"), .goAway(.internalError, lastStream: 1))),
        Case(
            "a connection that is given up, but finishes its answers",
            then: .send(.goAway(.noError, lastStream: 1), .head(length: 1), .data("a", isLast: true)), .stall),
        Case("a stream that is reset before the head", .connectionLost, then: .send(.reset(.internalError)), .stall),
        Case(
            "a stream that is reset within the body", .connectionLost,
            then: .send(.head(length: 9), .data("abc"), .reset(.cancel)), .stall),
        Case(
            "a stream that ends without an error within the body", .connectionLost,
            then: .send(.head(length: 9), .data("abc"), .reset(.noError)), .stall),
        Case("a stream that is refused each time", .connectionLost, then: .send(.reset(.refusedStream)), .stall),
        Case("a body that stalls", .timedOut, then: .send(.head(length: 9), .data("abc")), .stall),
        Case(
            "a body that is too short", .connectionLost, then: .send(.head(length: 9), .data("a", isLast: true)), .stall
        ),
        Case(
            "a body that is too long", .connectionLost, then: .send(.head(length: 1), .data("abc", isLast: true)),
            .stall),
        // The server does not wait for room, which libcurl 8.5 grants more sparingly.
        Case(
            "an endless body",
            CurlVersion.waitsForBrokenServers ? [.limitExceeded, .connectionLost] : [.limitExceeded],
            [.send(.head()), .flood(.data(filler))]),
        Case("a flood of empty frames", .timedOut, .connectionLost, then: .send(.head()), .flood(.data(""))),
        Case(
            "a flood of room to send", .timedOut, .connectionLost,
            then: .flood(HTTP2Frame(kind: .windowUpdate, stream: 0, payload: Data([0, 0, 0, 1])))),
        Case("a flood of pings", .timedOut, .connectionLost, then: .flood(.ping)),
        Case("a flood of settings", .timedOut, .connectionLost, then: .flood(.settings)),
        Case(
            "a flood of resets", .connectionLost, .timedOut,
            then: .flood(.reset(.cancel))),
        Case(
            "a head without an end", .timedOut, .connectionLost, .limitExceeded,
            then: .send(.head(flags: 0)), .flood(HTTP2Frame(kind: .continuation, payload: HTTP2Frame.field("a", "b")))),
        Case(
            "interim answers without an end", .limitExceeded, .connectionLost,
            then: .flood(
                HTTP2Frame(kind: .headers, flags: HTTP2Frame.endOfHead, payload: Data([8, 3]) + Data("103".utf8)))),
        Case(
            "a frame that is larger than allowed", .connectionLost, .timedOut,
            then: .send(.head(length: 1), HTTP2Frame(kind: .data, payload: Data(count: 20_000))), .stall),
        Case("a body without a head", broken, [.send(.data("abc", isLast: true)), .stall]),
        Case(
            "a stream that nobody has asked for", broken,
            [.send(.head(length: 1, stream: 4), .data("a", isLast: true, stream: 4)), .stall]),
        Case(
            "a picture that is pushed", .connectionLost, .timedOut,
            then: .send(
                HTTP2Frame(
                    kind: .push, flags: HTTP2Frame.endOfHead, payload: Data([0, 0, 0, 2]) + HTTP2Frame.block(length: 1))
            ),
            .stall),
        Case("bytes that are no frames", broken, [.send(Data(repeating: 0xFF, count: 100)), .stall]),
    ]

    private static let filler = String(repeating: "a", count: 16 << 10)

    /// The answer of a good server.
    private static let answer: [RawOrigin.Step] = [
        .receiveHTTP2Request, .send(.settings, .head(length: 1), .data("a", isLast: true)), .stall,
    ]

    /// - Parameter patience: Also that for a connection, so it is short only where a time-out is to come.
    private static func downloader(patience: Duration = .seconds(60)) -> WebImageDownloader {
        .direct {
            $0.assumesHTTP2 = true
            $0.downloadTimeout = patience
            $0.minimumSpeed = .init(bytesPerSecond: 1000, window: patience)
            $0.maximumBodyByteCount = 1 << 20
        }
    }

    @Test("each has its error, once, and the next load works", arguments: cases)
    func wrong(_ wrong: Case) async throws {
        let (origin, good) = (try RawOrigin(wrong.script), try RawOrigin(Self.answer))
        let downloader = Self.downloader(patience: wrong.patience)
        let load = RecordedLoad(origin.url(), by: downloader)
        let error = await load.error
        #expect(load.hasEndedOnce)
        if let error {
            #expect(wrong.codes.contains(error.code), "\(error)")
            #expect(error.kind == (error.code == .limitExceeded ? .policy : .transient))
            #expect(error.reason.contains(";") && !error.reason.contains("\n"), "\(error)")
        } else {
            #expect(wrong.codes.isEmpty)
        }
        // libcurl asks again where a server has refused a request without having looked at it, but not for ever.
        #expect(origin.receivedHeads.count <= 6)
        downloader.config.downloadTimeout = .seconds(60)
        downloader.config.minimumSpeed = nil
        #expect(try await RecordedLoad(good.url(), by: downloader).response.data == Data("a".utf8))
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test("a request that a server has not looked at is made again")
    func again() async throws {
        let refusal = [RawOrigin.Step.receiveHTTP2Request, .send(.settings, .reset(.refusedStream)), .stall]
        let origin = try RawOrigin(scripts: [refusal, Self.answer])
        #expect(try await RecordedLoad(origin.url(), by: Self.downloader()).response.data == Data("a".utf8))
        #expect(origin.receivedHeads.count == 2)
    }

    @Test("a reset says with which code, and a connection that is given up takes no other load with it")
    func messages() async throws {
        let reset = try RawOrigin([.receiveHTTP2Request, .send(.settings, .reset(.internalError)), .stall])
        let downloader = Self.downloader()
        let error = try #require(await RecordedLoad(reset.url("/a"), by: downloader).error)
        #expect(
            error.reason.contains("INTERNAL_ERROR") && error.reason.contains("127.0.0.1 port \(reset.port)"), "\(error)"
        )
        let leaving = try RawOrigin(scripts: [
            [
                .receiveHTTP2Request,
                .send(.settings, .goAway(.noError, lastStream: 1), .head(length: 1), .data("a", isLast: true)), .stall,
            ], Self.answer,
        ])
        for path in ["/a", "/b"] {
            #expect(try await RecordedLoad(leaving.url(path), by: downloader).response.data == Data("a".utf8))
        }
        #expect(leaving.receivedHeads.count == 2)
    }

    @Test("after all of it no descriptor and no thread is left")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            try await leavingNothing {
                for wrong in Self.cases {
                    let origin = try RawOrigin(wrong.script)
                    _ = await RecordedLoad(origin.url(), by: Self.downloader(patience: wrong.patience)).error
                }
            }
        }
    }
}
