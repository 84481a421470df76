import Testing

@testable import WebImageMemcached

@Suite("Hash ring")
struct HashRingTests {
    private static let names = (0..<20_000).map { "name-\($0)" }

    private static func servers(_ count: Int, weight: (Int) -> Int = { _ in 1 }) -> [MemcachedServer] {
        (0..<count).map { MemcachedServer(host: "10.0.0.\($0)", weight: weight($0)) }
    }

    private static func owners(_ servers: [MemcachedServer]) -> [String] {
        let ring = HashRing(servers)
        return names.compactMap { ring.owner(of: $0).map { ring.servers[$0].name } }
    }

    @Test("each server has its share, by its weight")
    func shares() {
        let owners = Self.owners(Self.servers(4) { $0 == 3 ? 3 : 1 })
        for index in 0..<4 {
            let share = Double(owners.count { $0 == "10.0.0.\(index):11211" }) / Double(owners.count)
            #expect(abs(share - (index == 3 ? 0.5 : 1.0 / 6)) < 0.03, "\(index): \(share)")
        }
    }

    @Test("a server more or less moves its share alone, and the order of the list says nothing")
    func moves() {
        let all = Self.owners(Self.servers(5))
        #expect(Self.owners(Self.servers(5).reversed()) == all)
        let less = Self.owners(Self.servers(4))
        let moved = zip(all, less).filter { $0 != $1 }
        #expect(moved.allSatisfy { $0.0 == "10.0.0.4:11211" })
        #expect(abs(Double(moved.count) / Double(all.count) - 0.2) < 0.02)
    }

    @Test("without servers nothing has an owner, and one that is named twice counts once")
    func edges() {
        #expect(HashRing([]).owner(of: "a") == nil)
        #expect(HashRing(Self.servers(2) + Self.servers(2)).servers.count == 2)
    }

    @Test(
        "servers are read from text",
        arguments: [
            ("a", "a", 11211, 1), ("a:5", "a", 5, 1), ("a:5*7", "a", 5, 7), ("a*2", "a", 11211, 2),
            ("::1", "::1", 11211, 1),
            ("[::1]:9", "::1", 9, 1), ("[::1]", "::1", 11211, 1),
        ])
    func text(text: String, host: String, port: UInt16, weight: Int) {
        #expect(MemcachedServer(text) == MemcachedServer(host: host, port: port, weight: weight))
    }

    @Test(
        "other text is none",
        arguments: ["", ":1", "a:", "a:0", "a:65536", "a:b", "a*0", "a*101", "a*1*1", "[::1", "a b"])
    func wrongText(text: String) { #expect(MemcachedServer(text) == nil) }
}
