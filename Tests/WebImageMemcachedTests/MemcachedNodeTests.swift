import Foundation
import Testing
import WebImageTesting

@testable import WebImageMemcached
@testable import WebImageTestDoubles

/// One server of the ring, which a script plays.
@Suite("Node of memcached", .timeLimit(.minutes(2)))
struct MemcachedNodeTests {
    @Test(
        "a removal that fails while an equal one before it is still being answered is made before anything else is asked"
    )
    func equalRemovals() async throws {
        let gate = Gate()
        let hears = { (text: String) in RawOrigin.Step.receive { String(decoding: $0, as: UTF8.self).contains(text) } }
        let origin = try RawOrigin(scripts: [
            // The first removal, answered late; then the question, with what is owed before it.
            [hears("md a\r\n"), .wait(gate), .send("HD\r\n"), hears("mg b"), .send("HD\r\nEN\r\n"), .stall],
            // The second one gets no answer.
            [hears("md a\r\n"), .reset],
        ])
        let server = MemcachedServer(host: "127.0.0.1", port: UInt16(origin.port))
        var settings = MemcachedSettings()
        settings.timeout = .seconds(60)
        let node = MemcachedNode(server, settings) { .now }
        async let first: Void = Self.onThread {
            try node.change("a", by: .delete("a"), orElse: ("all", .delete("all")))
        }
        try await origin.waitForHeads(1)
        await #expect(throws: MemcachedFailure.self) {
            try await Self.onThread { try node.change("a", by: .delete("a"), orElse: ("all", .delete("all"))) }
        }
        gate.open()
        try await first
        let replies = try await Self.onThread { try node.exchange([.get("b")]) }
        #expect(replies.map(\.status) == [.miss])
    }

    private static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
    }
}
