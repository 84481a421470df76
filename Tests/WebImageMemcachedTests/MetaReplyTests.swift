import FoundationEssentials
import Testing

@testable import WebImageMemcached
@testable import WebImageTestDoubles

/// The answers of memcached's meta protocol, however they are cut into pieces.
@Suite("Meta replies")
struct MetaReplyTests {
    private static let value = MetaReply(status: .value, data: Data("a\r\nb".utf8), flags: ["t-1", "c7", "W"])
    private static let stream = Array(
        "VA 4 t-1 c7 W\r\na\r\nb\r\nEN\r\nHD\r\nVA 0\r\n\r\nNS\r\nNF\r\nEX c9\r\nHD O1 k\r\n".utf8)

    @Test("each answer comes out once, in order, whatever pieces the bytes come in")
    func pieces() throws {
        var random = SplitMix(state: 3)
        for _ in 0..<200 {
            var reader = MetaReplyReader(longestValue: 10)
            var replies: [MetaReply] = []
            var rest = Self.stream[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9, using: &random))
                rest = rest.dropFirst(piece.count)
                reader.add(piece)
                while let reply = try reader.next() { replies.append(reply) }
            }
            #expect(replies.map(\.status) == [.value, .miss, .done, .value, .notStored, .notFound, .exists, .done])
            #expect(replies.first == Self.value)
            #expect(replies[6].version == 9)
        }
        #expect(Self.value.wins && !Self.value.isBeingMade && !Self.value.isStale && Self.value.version == 7)
    }

    @Test(
        "what is no answer ends the connection",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n", "\r\n", "VA\r\n", "VA x\r\n", "VA -1\r\n", "VA 11\r\n", "VA 1\r\nabcd",
            "HD\rx",
            "VA 99999999999999999999\r\n", "END\r\n",
        ])
    func foreign(text: String) {
        var reader = MetaReplyReader(longestValue: 10)
        reader.add(Array(text.utf8))
        #expect(throws: MemcachedFailure.notMemcached) { try reader.next() }
    }

    @Test("a refusal is told in the server's words, and a line without an end is not waited for for ever")
    func refusal() {
        var reader = MetaReplyReader(longestValue: 10)
        reader.add(Array("SERVER_ERROR object too large for cache\r\n".utf8))
        #expect(throws: MemcachedFailure.refused("SERVER_ERROR object too large for cache")) { try reader.next() }
        var endless = MetaReplyReader(longestValue: 10)
        endless.add([UInt8](repeating: 65, count: 3000))
        #expect(throws: MemcachedFailure.notMemcached) { try endless.next() }
    }

    @Test("random bytes are an answer, an error, or not complete")
    func random() {
        var random = SplitMix(state: 11)
        let letters = Array("VAHDENSFX 0123456789\r\ncWZ\u{0}".utf8)
        for _ in 0..<20_000 {
            var reader = MetaReplyReader(longestValue: 100)
            reader.add(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 })
            while (try? reader.next()) ?? nil != nil {}
        }
    }

    @Test("commands are written as the protocol has them")
    func commands() {
        func text(_ command: MetaCommand) -> String { String(decoding: command.bytes, as: UTF8.self) }
        #expect(text(.get("a")) == "mg a v t c\r\n")
        #expect(text(.get("a", recacheSeconds: 30)) == "mg a v t c N30\r\n")
        #expect(text(.set("a", [65, 66])) == "ms a 2 MS\r\nAB\r\n")
        #expect(text(.set("a", [], seconds: 9, mode: .add, version: 4)) == "ms a 0 ME T9 C4\r\n\r\n")
        #expect(text(.delete("a")) == "md a\r\n")
        #expect(text(.markStale("a", seconds: 5)) == "md a I T5\r\n")
        #expect(text(.touch("a", seconds: 5)) == "mg a T5\r\n")
    }
}

extension MetaReplyReader {
    /// Takes all of `more`, however little room there is at a time.
    fileprivate mutating func add(_ more: some Collection<UInt8>) {
        var rest = Array(more)[...]
        while !rest.isEmpty {
            fill { room in
                let piece = rest.prefix(room.count)
                room.copyBytes(from: piece)
                rest = rest.dropFirst(piece.count)
                return piece.count
            }
        }
    }
}
