import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Raw origin", .timeLimit(.minutes(5)))
struct RawOriginTests {
    @Test("a script's bytes arrive as they are, and the request's head is recorded")
    func bytes() async throws {
        let origin = try RawOrigin([
            .receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .pause(.milliseconds(1)),
            .send("cd"),
        ])
        #expect(try await Curl.run(origin.url("/x").absoluteString).text == "abcd")
        #expect(origin.receivedHeads.count == 1)
        #expect(origin.receivedHeads.first?.hasPrefix("GET /x HTTP/1.1\r\n") == true)
    }

    @Test("connections follow their scripts in turn, and later ones the last")
    func scripts() async throws {
        let origin = try RawOrigin(scripts: [
            [.receiveHead, .reset], [.receiveHead], [.receiveHead, .send("HTTP/1.0 200 OK\r\n\r\nok")],
        ])
        var statuses: [Int32] = []
        for _ in 0..<4 { statuses.append(try await Curl.run(origin.url().absoluteString).status) }
        #expect(statuses == [56, 52, 0, 0])
    }

    @Test("a gate holds a script in the middle of a head")
    func gate() async throws {
        let gate = Gate()
        let origin = try RawOrigin([
            .receiveHead, .send("HTTP/1.1 200 OK\r\nConte"), .wait(gate), .send("nt-Length: 2\r\n\r\nok"),
        ])
        async let curl = Curl.run(origin.url().absoluteString)
        try await origin.waitForHeads(1)
        gate.open()
        #expect(try await curl.text == "ok")
    }

    @Test("stopping ends a stall, a long pause and a send without a reader")
    func stop() async throws {
        let endless = Data(count: 64 << 20)
        let origin = try RawOrigin(scripts: [
            [.receiveHead, .stall], [.receiveHead, .pause(.seconds(3600))],
            [.receiveHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .send(endless)],
        ])
        async let stalled = Curl.run(origin.url().absoluteString)
        try await origin.waitForHeads(1)
        async let paused = Curl.run(origin.url().absoluteString)
        try await origin.waitForHeads(2)
        async let unread = Curl.run("--limit-rate", "1", "--max-time", "1", origin.url().absoluteString)
        try await origin.waitForHeads(3)
        origin.stop()
        #expect(try await stalled.status == 52)
        #expect(try await paused.status == 52)
        _ = try? await unread
    }
}
