import Glibc
import Synchronization
import WebImageTesting

@testable import WebImageTestDoubles

/// A name server on UDP whose names say what it answers. It stops with its last reference.
///
/// - `v4-127-0-0-1.test`, `v6-` with 32 digits and `.test`: that address.
/// - `both-127-0-0-1.test`: an address of the internet, and that one.
/// - `all.test`: many of no internet; `alias.test`: another name of one.
/// - `turn-1.test`, with any number: an address of the internet, and at the next question 127.0.0.1, and so on.
final class NameServer: Sendable {
    private let descriptor: CInt
    private let stopping = Gate()
    private let thread: JoinableThread

    init() throws {
        let flags = [SOCK_DGRAM, SOCK_CLOEXEC].reduce(0) { $0 | CInt($1.rawValue) }
        let descriptor = socket(AF_INET, flags, 0)
        self.descriptor = descriptor
        var place = sockaddr_in.loopback
        place.sin_port = in_port_t(UInt16(53).bigEndian)
        let isBound = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw CanaryListener.NotStarted(code: errno) }
        let gate = stopping
        guard let thread = JoinableThread({ Self.serve(descriptor, until: gate) }) else {
            throw CanaryListener.NotStarted(code: EAGAIN)
        }
        self.thread = thread
    }

    deinit {
        stopping.open()
        thread.join()
        close(descriptor)
    }

    /// The name that has this address; nil for a text that is no address.
    static func name(ofIPv6 text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        let digits = withUnsafeBytes(of: address) { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        return "v6-\(digits).test"
    }

    private static func serve(_ descriptor: CInt, until stopping: Gate) {
        var watched = [
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        /// How often the address of a name was asked for.
        var turns: [String: Int] = [:]
        while true {
            while poll(&watched, nfds_t(watched.count), -1) < 0, errno == EINTR {}
            guard watched[0].revents == 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 1500)
            var client = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &client) { client in
                client.withMemoryRebound(to: sockaddr.self, capacity: 1) { client in
                    let count = recvfrom(descriptor, &buffer, buffer.count, 0, client, &length)
                    guard count > 0, let question = Question(Array(buffer.prefix(count))) else { return }
                    if question.type == .four { turns[question.name, default: 0] += 1 }
                    let answer = question.answer(turn: turns[question.name] ?? 1)
                    sendto(descriptor, answer, answer.count, 0, client, length)
                }
            }
        }
    }

    /// A message with one question (RFC 1035 §4.1).
    private struct Question {
        enum Kind: UInt16 {
            case four = 1
            case alias = 5
            case six = 28
        }

        let message: [UInt8]
        let name: String
        let type: Kind?

        init?(_ message: [UInt8]) {
            var labels: [String] = []
            var place = 12
            while place < message.count, message[place] > 0 {
                let end = place + 1 + Int(message[place])
                guard end < message.count else { return nil }
                labels.append(String(decoding: message[(place + 1)..<end], as: UTF8.self).lowercased())
                place = end
            }
            guard place + 4 < message.count else { return nil }
            name = labels.joined(separator: ".")
            type = Kind(rawValue: UInt16(message[place + 1]) << 8 | UInt16(message[place + 2]))
            self.message = Array(message[..<(place + 5)])
        }

        func answer(turn: Int) -> [UInt8] {
            let records = records(turn: turn)
            let code: UInt8 = records == nil ? 3 : 0
            let wanted = (records ?? []).filter { $0.0 == type || $0.0 == .alias && type != nil }
            // The identifier; an answer with recursion; one question, and the records; no others.
            let head = message[..<2] + [0x81, 0x80 | code, 0, 1, 0, UInt8(wanted.count), 0, 0, 0, 0]
            return head + message[12...] + wanted.flatMap { Self.record($0.0, $0.1) }
        }

        private static func record(_ kind: Kind, _ data: [UInt8]) -> [UInt8] {
            // The name of the question, in the class of the internet, for no time.
            [0xC0, 0x0C, 0, UInt8(kind.rawValue), 0, 1, 0, 0, 0, 0, 0, UInt8(data.count)] + data
        }

        /// nil for a name that is none.
        private func records(turn: Int) -> [(Kind, [UInt8])]? {
            guard name.hasSuffix(".test") else { return nil }
            let parts = name.dropLast(5).split(separator: "-")
            let numbers = parts.dropFirst().compactMap { UInt8($0) }
            let publicAddress: [UInt8] = [93, 184, 216, 34]
            switch parts.first {
            case "v4" where numbers.count == 4: return [(.four, numbers)]
            case "both" where numbers.count == 4: return [(.four, publicAddress), (.four, numbers)]
            case "v6" where parts.count == 2: return [(.six, Self.bytes(of: parts[1]))]
            case "turn": return [(.four, turn.isMultiple(of: 2) ? [127, 0, 0, 1] : publicAddress)]
            case "all":
                return [
                    (.four, [127, 0, 0, 1]), (.four, [10, 0, 0, 1]), (.four, [169, 254, 169, 254]),
                    (.six, [UInt8](repeating: 0, count: 15) + [1]),
                ]
            case "alias": return [(.alias, Array("\u{c}v4-127-0-0-1\u{4}test\u{0}".utf8))]
            default: return nil
            }
        }

        private static func bytes(of digits: Substring) -> [UInt8] {
            let values = digits.compactMap(\.hexDigitValue)
            return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
        }
    }
}
