import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

/// curl's exit codes, from its manual page.
private enum CurlExit {
    static let weirdReply: Int32 = 1
    static let partialFile: Int32 = 18
    static let timedOut: Int32 = 28
    static let emptyReply: Int32 = 52
    static let receiveError: Int32 = 56
}

@Suite("Loopback origin: waits and faults", .timeLimit(.minutes(5)))
struct LoopbackOriginScriptTests {
    private let body = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 17) })

    @Test("a held answer comes after its gate opens, and delays no other answer")
    func heldHead() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        origin.serve("/hold", OriginResponse(body: body).held(by: gate))
        origin.serve("/free", .text("free"))
        async let held = Curl.run(origin.url("/hold").absoluteString)
        try await origin.waitForRequests(1, for: "/hold")
        #expect(try await Curl.run(origin.url("/free").absoluteString).text == "free")
        #expect(origin.requests.first?.ending == nil)
        gate.open()
        #expect(try await held.output == body)
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .answered)
    }

    @Test("a body held in the middle delivers its first part before the gate opens", arguments: [false, true])
    func heldBody(tls: Bool) async throws {
        let (origin, gate) = (try LoopbackOrigin(tls: tls), Gate())
        origin.serve("/hold", OriginResponse(body: body).held(by: gate, afterBytes: 1000))
        let early = try await Curl.run("-k", "-N", "--max-time", "1", origin.url("/hold").absoluteString)
        #expect(early.status == CurlExit.timedOut)
        #expect(early.output == body.prefix(1000))
        gate.open()
        #expect(try await Curl.run("-k", origin.url("/hold").absoluteString).output == body)
    }

    @Test("a stall after no bytes still delivers the head")
    func stallAfterHead() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/stall", OriginResponse(body: body).stalling(afterBytes: 0))
        let curl = try await Curl.run("-i", "--max-time", "1", origin.url("/stall").absoluteString)
        #expect(curl.status == CurlExit.timedOut)
        #expect(curl.text.hasPrefix("HTTP/1.1 200 OK\r\n") && curl.text.hasSuffix("\r\n\r\n"))
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
    }

    @Test("a stall ends when the origin stops, at once")
    func stallAndStop() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/stall", OriginResponse(body: body).stalling(afterBytes: 10))
        origin.serve("/hold", OriginResponse(body: body).held(by: Gate()))
        origin.serve("/late", OriginResponse(body: body).delayed(by: .seconds(3600)))
        origin.serve("/crawl", OriginResponse(body: body).limited(toBytesPerSecond: 1))
        // A process for each: a single one may drop the others when the first has ended.
        let clients = ["/stall", "/hold", "/late", "/crawl"].map { path in
            Task { try await Curl.run(origin.url(path).absoluteString) }
        }
        try await origin.waitForRequests(4)
        origin.stop()
        for client in clients { #expect(try await client.value.status != CurlExit.timedOut) }
        #expect(origin.requests.map(\.ending) == Array(repeating: .stopped, count: 4))
        #expect(try await Curl.run(origin.url("/stall").absoluteString).status == 7)
    }

    @Test("an answer that the origin's stop breaks off before it is sent counts as stopped, and no client has left")
    func stopBeforeAnswer() async throws {
        let origin = try LoopbackOrigin()
        let (isAsked, mayAnswer) = (Gate(), Gate())
        origin.serve("/late") { [body] _ in
            isAsked.open()
            mayAnswer.waitBlocking()
            return OriginResponse(body: body)
        }
        let client = Task { try await Curl.run(origin.url("/late").absoluteString) }
        try await isAsked.wait()
        Thread.detachNewThread { origin.stop() }
        #expect(try await client.value.status != CurlExit.timedOut)
        mayAnswer.open()
        let requests = try await origin.waitForRequests { $0.first?.ending != nil }
        #expect(requests.map(\.ending) == [.stopped])
    }

    @Test("a reset arrives as one, after the bytes before it", arguments: [0, 1, 20_000], [false, true])
    func reset(afterBytes count: Int, tls: Bool) async throws {
        let origin = try LoopbackOrigin(tls: tls)
        origin.serve("/reset", OriginResponse(body: body).reset(afterBytes: count))
        let curl = try await Curl.run("-k", "-N", origin.url("/reset").absoluteString)
        #expect(curl.status == CurlExit.receiveError)
        #expect(curl.output == body.prefix(count))
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .brokenOff)
    }

    @Test("a body that is closed too early is a partial file", arguments: [0, 1, 20_000])
    func close(afterBytes count: Int) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/short", OriginResponse(body: body).closed(afterBytes: count))
        let curl = try await Curl.run(origin.url("/short").absoluteString)
        #expect(curl.status == CurlExit.partialFile)
        #expect(curl.output == body.prefix(count))
    }

    @Test("a Content-Length that is too large leaves the client with a partial file")
    func lengthTooLarge() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/long", OriginResponse(body: body).contentLength(body.count + 1))
        let curl = try await Curl.run(origin.url("/long").absoluteString)
        #expect(curl.status == CurlExit.partialFile)
        #expect(curl.output == body)
    }

    @Test("a Content-Length that is too small is followed by all of the body")
    func lengthTooSmall() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/small", OriginResponse(contentType: "image/png", body: body).contentLength(10))
        let curl = try await Curl.run("-i", "--ignore-content-length", origin.url("/small").absoluteString)
        #expect(curl.output.suffix(body.count) == body)
        let head = String(decoding: curl.output.dropLast(body.count), as: UTF8.self)
        #expect(head.contains("Content-Length: 10\r\n") && head.contains("Content-Type: image/png\r\n"))
    }

    @Test("raw bytes go out as they are, and none are an empty reply")
    func raw() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/raw", .raw(Data("no HTTP at all".utf8)))
        origin.serve("/empty", .raw(Data()))
        let raw = try await Curl.run("--http0.9", origin.url("/raw").absoluteString)
        #expect(raw.text == "no HTTP at all")
        #expect(try await Curl.run(origin.url("/raw").absoluteString).status == CurlExit.weirdReply)
        #expect(try await Curl.run(origin.url("/empty").absoluteString).status == CurlExit.emptyReply)
    }

    @Test("an encoded body is labelled and left as it is")
    func encoded() async throws {
        let origin = try LoopbackOrigin()
        // `printf hello | gzip -n`
        let gzip = Data([
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86,
            0xA6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ])
        origin.serve("/z", OriginResponse(body: gzip).encoded())
        #expect(try await Curl.run("--compressed", origin.url("/z").absoluteString).text == "hello")
        #expect(try await Curl.run(origin.url("/z").absoluteString).output == gzip)
    }

    @Test("a delay and a bandwidth take at least their time")
    func pace() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/late", OriginResponse(body: body).delayed(by: .milliseconds(60)))
        origin.serve("/slow", OriginResponse(body: body).limited(toBytesPerSecond: 500_000))
        for (path, least) in [("/late", Duration.milliseconds(60)), ("/slow", .milliseconds(100))] {
            let start = ContinuousClock.now
            #expect(try await Curl.run(origin.url(path).absoluteString).output == body)
            #expect(.now - start >= least, "\(path)")
        }
    }

    @Test("waiting for requests ends when the waiting task is cancelled")
    func cancelledWait() async throws {
        let origin = try LoopbackOrigin()
        let wait = Task { try await origin.waitForRequests(1) }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    @Test("an origin stops with its last reference, and again when told to")
    func stops() async throws {
        var origin: LoopbackOrigin? = try LoopbackOrigin()
        let url = try #require(origin?.url("/a").absoluteString)
        #expect(try await Curl.run(url).status == 0)
        origin?.stop()
        origin?.stop()
        origin = nil
        #expect(try await Curl.run(url).status == 7)
    }
}
