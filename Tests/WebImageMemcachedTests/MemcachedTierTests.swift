import Foundation
import Glibc
import Testing

@testable import WebImageMemcached
@testable import WebImageTestDoubles

/// The tier with servers that work, hang, restart and lie.
@Suite("Tier in memcached", .timeLimit(.minutes(2)))
struct MemcachedTierTests {
    private static func tier(
        _ servers: [MemcachedServer], _ clock: StepClock = StepClock(),
        change: (inout MemcachedSettings) -> Void = { _ in }
    ) -> MemcachedTier {
        var settings = MemcachedSettings()
        // Longer than any answer takes on a busy machine.
        settings.timeout = .seconds(10)
        change(&settings)
        return MemcachedTier(servers: servers, settings: settings) { clock.now }
    }

    private static func content(_ number: Int, count: Int = 1000) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    }

    @Test("what one machine stores another one reads, in all sizes")
    func sharing() async throws {
        let servers = [try Memcached(), try Memcached(), try Memcached()]
        let (one, other) = (Self.tier(servers.map(\.server)), Self.tier(servers.reversed().map(\.server)))
        for (number, count) in [0, 1, 1000, 200_000, (1 << 20) - 1024].enumerated() {
            let path = "aa\(number)/bb"
            #expect(try await one.bytes(at: path) == nil)
            try await one.store(Self.content(number, count: count), at: path)
            #expect(try await other.bytes(at: path) == Self.content(number, count: count), "\(count)")
        }
    }

    @Test("an entry that is too large is not stored, and a server's refusal is an error and no reason to leave it out")
    func large() async throws {
        let server = try Memcached()
        let tier = Self.tier([server.server])
        try await tier.store(Data(count: 1 << 20), at: "a/a")
        #expect(try await tier.bytes(at: "a/a") == nil)
        let greedy = Self.tier([server.server]) { $0.maximumByteCount = 8 << 20 }
        await #expect(throws: TierFailure.self) { try await greedy.store(Data(count: 4 << 20), at: "a/b") }
        try await greedy.store(Data([1]), at: "a/c")
        #expect(try await greedy.bytes(at: "a/c") == Data([1]))
    }

    @Test("one entry, all of a picture, and everything are removed for all machines")
    func removal() async throws {
        let servers = [try Memcached(), try Memcached()]
        let (one, other) = (Self.tier(servers.map(\.server)), Self.tier(servers.map(\.server)))
        for path in ["a/1", "a/2", "b/1", "c/1"] { try await one.store(Data(path.utf8), at: path) }
        try await other.remove(at: "a/1")
        #expect(try await one.bytes(at: "a/1") == nil)
        #expect(try await one.bytes(at: "a/2") == Data("a/2".utf8))
        try await one.remove(at: "a")
        #expect(try await other.bytes(at: "a/2") == nil)
        #expect(try await other.bytes(at: "b/1") == Data("b/1".utf8))
        try await one.store(Data([7]), at: "a/2")
        #expect(try await other.bytes(at: "a/2") == Data([7]))
        try await other.remove(at: "")
        for path in ["a/2", "b/1", "c/1"] { #expect(try await one.bytes(at: path) == nil) }
    }

    @Test("tiers with other prefixes do not see each other's entries, and a prefix needs no care")
    func prefixes() async throws {
        let server = try Memcached()
        let one = Self.tier([server.server])
        let other = Self.tier([server.server]) { $0.prefix = "another one: é\r\n" }
        try await one.store(Data([1]), at: "a/a")
        #expect(try await other.bytes(at: "a/a") == nil)
        try await other.store(Data([2]), at: "a/a")
        try await one.remove(at: "")
        #expect(try await other.bytes(at: "a/a") == Data([2]))
    }

    @Test("a server that is gone is a miss, is left out for longer and longer, and is asked again")
    func absent() async throws {
        let clock = StepClock()
        var server: Memcached? = try Memcached()
        let address = try #require(server).server
        let tier = Self.tier([address], clock)
        try await tier.store(Data([1]), at: "a/a")
        server = nil
        let first = await #expect(throws: TierFailure.self) { try await tier.bytes(at: "a/a") }
        #expect(first?.failure != .leftOut)
        await #expect(throws: TierFailure(server: address.name, failure: .leftOut)) { try await tier.bytes(at: "a/a") }
        clock.pass(.seconds(1))
        let second = await #expect(throws: TierFailure.self) { try await tier.bytes(at: "a/a") }
        #expect(second?.failure != .leftOut)
        clock.pass(.seconds(1))
        await #expect(throws: TierFailure(server: address.name, failure: .leftOut)) { try await tier.bytes(at: "a/a") }
        clock.pass(.seconds(1))
        server = try Memcached(port: address.port)
        #expect(try await tier.bytes(at: "a/a") == nil)
        try await tier.store(Data([2]), at: "a/a")
        #expect(try await tier.bytes(at: "a/a") == Data([2]))
        withExtendedLifetime(server) {}
    }

    @Test(
        "a server that hangs is waited for no longer than the time-out, and what is removed meanwhile does not come back"
    )
    func hanging() async throws {
        let clock = StepClock()
        let server = try Memcached()
        let tier = Self.tier([server.server], clock) { $0.timeout = .seconds(2) }
        let reader = Self.tier([server.server])
        for path in ["a/1", "b/1", "c/1"] { try await tier.store(Data([1]), at: path) }
        server.stop()
        await #expect(throws: TierFailure(server: server.server.name, failure: .tooSlow)) {
            try await tier.bytes(at: "a/1")
        }
        await #expect(throws: TierFailure.self) { try await tier.remove(at: "a") }
        await #expect(throws: TierFailure.self) { try await tier.remove(at: "b/1") }
        server.signal(SIGCONT)
        #expect(try await reader.bytes(at: "a/1") == Data([1]))
        clock.pass(.seconds(10))
        #expect(try await tier.bytes(at: "c/1") == Data([1]))
        #expect(try await reader.bytes(at: "a/1") == nil)
        #expect(try await reader.bytes(at: "b/1") == nil)
    }

    @Test("more changes than are remembered for a server that hangs become one that removes everything")
    func manyOwed() async throws {
        let clock = StepClock()
        let server = try Memcached()
        let tier = Self.tier([server.server], clock) {
            $0.timeout = .seconds(2)
            $0.maximumOwedCount = 3
        }
        try await tier.store(Data([1]), at: "kept/1")
        server.stop()
        for number in 0...3 { try? await tier.remove(at: "a\(number)") }
        server.signal(SIGCONT)
        clock.pass(.seconds(40))
        #expect(try await tier.bytes(at: "kept/1") == nil)
    }

    @Test("a server that restarts is empty, and no entry of before comes back with a generation that began anew")
    func restart() async throws {
        var server: Memcached? = try Memcached()
        let address = try #require(server).server
        let clock = StepClock()
        let tier = Self.tier([address], clock)
        try await tier.store(Data([1]), at: "a/a")
        server = nil
        server = try Memcached(port: address.port)
        // The idle connection has ended with the old server: the request is made again on a new one.
        #expect(try await tier.bytes(at: "a/a") == nil)
        try await tier.store(Data([2]), at: "a/a")
        #expect(try await tier.bytes(at: "a/a") == Data([2]))
        withExtendedLifetime(server) {}
    }

    @Test(
        "answers that are none of memcached's are a miss, and the tier lives on",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "VA 9999999999\r\n", "VA 8 t\r\n01234567\r\nEN\r\nEN\r\nEN\r\n",
            "ERROR\r\n", "HD\r\nHD\r\nHD\r\n",
        ])
    func foreign(answer: String) async throws {
        let origin = try RawOrigin([.receive { $0.count > 10 }, .send(Data(answer.utf8))])
        let tier = Self.tier([MemcachedServer(host: "127.0.0.1", port: UInt16(origin.port))])
        let bytes = try? await tier.bytes(at: "a/a")
        #expect(bytes == nil)
    }

    @Test("a hundred tasks at a time read what was stored, or nothing, and never another's bytes")
    func concurrency() async throws {
        let servers = [try Memcached(), try Memcached()]
        let tier = Self.tier(servers.map(\.server))
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    for round in 0..<20 {
                        let path = "p\(number % 10)/\(round % 3)"
                        try await tier.store(Data("\(path) \(number)".utf8), at: path)
                        guard let bytes = try await tier.bytes(at: path) else { continue }
                        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\(path) "))
                        if number == 50 { try await tier.remove(at: "p\(round % 10)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
