import Glibc
import Synchronization
import WebImageCore

/// A connection to a server. One exchange at a time.
final class MemcachedConnection: Sendable {
    private let socket: OwnedDescriptor
    private let reader: Mutex<MetaReplyReader>

    /// - Parameters:
    ///   - deadline: When it gives up.
    ///   - longestValue: Longer ones are refused.
    init(
        to server: MemcachedServer, by deadline: ContinuousClock.Instant, longestValue: Int
    ) throws(MemcachedFailure) {
        reader = Mutex(MetaReplyReader(longestValue: longestValue))
        var failure = MemcachedFailure.unreachable("\(server.host) has no address")
        for address in SocketAddress.all(of: server) {
            do throws(MemcachedFailure) {
                socket = try Self.connected(to: address, by: deadline)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Sends the commands together, and reads an answer to each. After an error the connection is of no use.
    func exchange(
        _ commands: [MetaCommand], by deadline: ContinuousClock.Instant
    ) throws(MemcachedFailure) -> [MetaReply] {
        try reader.withLock { reader throws(MemcachedFailure) in
            var unsent = commands.flatMap(\.bytes)[...]
            try send(&unsent)
            var replies: [MetaReply] = []
            while replies.count < commands.count {
                if let reply = try reader.next() {
                    replies.append(reply)
                } else if try !receive(&reader) {
                    try advance(&unsent, by: deadline)
                }
            }
            return replies
        }
    }

    /// Waits until something can be received, or sends what is possible.
    private func advance(
        _ unsent: inout ArraySlice<UInt8>, by deadline: ContinuousClock.Instant
    ) throws(MemcachedFailure) {
        let ready = try Self.poll(socket.number, POLLIN | (unsent.isEmpty ? 0 : POLLOUT), by: deadline)
        if ready & Int16(POLLOUT) != 0 { try send(&unsent) }
    }

    private func send(_ unsent: inout ArraySlice<UInt8>) throws(MemcachedFailure) {
        let count = unsent.withUnsafeBytes {
            Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return unsent.removeFirst(count) }
        guard [EAGAIN, EINTR].contains(errno) else { throw .lastError }
    }

    /// Whether something was there.
    private func receive(_ reader: inout MetaReplyReader) throws(MemcachedFailure) -> Bool {
        var isThere = false
        var failure: MemcachedFailure?
        reader.fill { room in
            let count = recv(socket.number, room.baseAddress, room.count, 0)
            if count == 0 { failure = .unreachable("the server has closed it") }
            if count < 0, ![EAGAIN, EINTR].contains(errno) { failure = .lastError }
            isThere = count > 0
            return max(0, count)
        }
        if let failure { throw failure }
        return isThere
    }

    // MARK: Connecting

    private static func connected(
        to address: SocketAddress, by deadline: ContinuousClock.Instant
    ) throws(MemcachedFailure) -> OwnedDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(address.family, type, 0)
        guard number >= 0 else { throw .lastError }
        let socket = OwnedDescriptor(number)
        // Requests are small, and answered before the next one.
        var one: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout.size(ofValue: one)))
        if address.connect(number) != 0 {
            guard errno == EINPROGRESS else { throw .lastError }
            _ = try poll(number, POLLOUT, by: deadline)
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout.size(ofValue: code))
            getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size)
            guard code == 0 else { throw .unreachable(SystemFailure(code: code).text) }
        }
        return socket
    }

    private static func poll(
        _ number: CInt, _ events: Int32, by deadline: ContinuousClock.Instant
    ) throws(MemcachedFailure) -> Int16 {
        var entry = pollfd(fd: number, events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .tooSlow }
            // Rounded up: a wait of no time would turn in a circle until the deadline.
            let count = Glibc.poll(&entry, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
            if count > 0 { return entry.revents }
            if count < 0, errno != EINTR { throw .lastError }
        }
    }
}

extension MemcachedFailure {
    fileprivate static var lastError: MemcachedFailure { .unreachable(SystemFailure(code: errno).text) }
}
