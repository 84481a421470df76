import Glibc
import WebImageTesting

@testable import WebImageTestDoubles

/// A server on every address of the machine's network, which notes at which of them it was reached.
///
/// It redirects `/302?URL` to the URL, and answers all else with a text. It stops with its last reference.
final class CanaryListener: Sendable {
    private let listener: CInt
    private let stopping = Gate()
    private let reached: Observed<[String]>
    private let thread: JoinableThread

    struct NotStarted: Error { let code: Int32 }

    /// - Parameters:
    ///   - address: Of IPv6, or one of IPv4 that is mapped into it; by default all.
    ///   - port: 0 for any.
    init(at address: String = "::", port: Int) throws {
        let flags = [SOCK_STREAM, SOCK_CLOEXEC].reduce(0) { $0 | CInt($1.rawValue) }
        let listener = socket(AF_INET6, flags, 0)
        self.listener = listener
        var (no, yes): (Int32, Int32) = (0, 1)
        setsockopt(listener, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in6()
        place.sin6_family = sa_family_t(AF_INET6)
        place.sin6_port = in_port_t(UInt16(port).bigEndian)
        inet_pton(AF_INET6, address, &place.sin6_addr)
        let isBound = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
        guard listener >= 0, isBound, listen(listener, 64) == 0 else { throw NotStarted(code: errno) }
        let reached = Observed<[String]>([])
        self.reached = reached
        let gate = stopping
        guard let thread = JoinableThread({ Self.serve(listener, until: gate, reached) }) else {
            throw NotStarted(code: EAGAIN)
        }
        self.thread = thread
    }

    deinit {
        stopping.open()
        thread.join()
        close(listener)
    }

    /// The addresses of this machine that connections have gone to, in order; those of IPv4 in their own form.
    var addresses: [String] { reached.value }

    private static func serve(_ listener: CInt, until stopping: Gate, _ reached: Observed<[String]>) {
        var watched = [
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            while poll(&watched, nfds_t(watched.count), -1) < 0, errno == EINTR {}
            guard watched[0].revents == 0 else { return }
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            let address = ownAddress(of: connection)
            reached.update { $0.append(address) }
            answer(connection)
            close(connection)
        }
    }

    private static func ownAddress(of connection: CInt) -> String {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(connection, $0, &length) }
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
    }

    /// One piece is a whole request of these tests, or the beginning of one of TLS, which gets no answer.
    private static func answer(_ connection: CInt) {
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(connection, &buffer, buffer.count, 0)
        let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard words.count > 1, words[0] == "GET" else { return }
        let parts = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        let status = Int(parts[0].dropFirst()).flatMap { (300..<400).contains($0) ? $0 : nil }
        let head = status.map { "HTTP/1.1 \($0) To\r\nLocation: \(parts.last ?? "")" } ?? "HTTP/1.1 200 OK"
        let response = Array("\(head)\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret".utf8)
        _ = send(connection, response, response.count, CInt(MSG_NOSIGNAL))
    }
}
