import Testing
import WebImageIsolation

@Suite("Messages between the app and its helper")
struct HelperMessageTests {
    private static let requests: [HelperRequest] = [
        .begin(.videos), .fork(.svg, WorkerAllowance(memory: 1 << 40, processorSeconds: 600)), .collect(worker: 12345),
    ]
    private static let replies: [HelperReply] = [
        .ready(HelperAbilities(kinds: [.jpeg, .video], level: [.systemCalls, .landlock], text: "restricted: é")),
        .forked(worker: 7), .notForked(code: 11), .ended(status: 139, finding: nil),
        .ended(status: 9, finding: .tooManyThreads),
    ]

    @Test("requests and replies come back as they were sent")
    func roundTrip() {
        for request in Self.requests { #expect(HelperRequest(request.bytes) == request) }
        for reply in Self.replies { #expect(HelperReply(reply.bytes) == reply) }
    }

    @Test("a helper of another version does not begin")
    func versions() throws {
        var bytes = HelperRequest.begin(.pictures).bytes
        bytes[16] ^= 1
        #expect(HelperRequest(bytes) == nil)
    }

    @Test("a part of a message, or one with more bytes, is none")
    func damage() {
        for bytes in Self.requests.map(\.bytes) {
            for count in 0..<bytes.count { #expect(HelperRequest(Array(bytes.prefix(count))) == nil) }
            #expect(HelperRequest(bytes + [0]) == nil)
        }
        for bytes in Self.replies.dropFirst().map(\.bytes) {
            for count in 0..<bytes.count { #expect(HelperReply(Array(bytes.prefix(count))) == nil) }
            #expect(HelperReply(bytes + [0]) == nil)
        }
        #expect(HelperRequest([UInt8](repeating: 0xff, count: 32)) == nil)
        #expect(HelperReply([UInt8](repeating: 0xff, count: 16)) == nil)
        var unknown = HelperReply.ended(status: 9, finding: .tooManyThreads).bytes
        unknown[16] = 200
        #expect(HelperReply(unknown) == nil)
    }
}
