import FoundationEssentials
import Glibc

/// A connection for scripts: every wait on it ends early when the client leaves or the origin stops.
package struct ConnectionSocket {
    package let descriptor: CInt
    package let stopping: Gate

    package init(descriptor: CInt, stopping: Gate) {
        self.descriptor = descriptor
        self.stopping = stopping
    }

    /// The peer has closed its half: `POLLRDHUP`, which the Glibc module hides behind `_GNU_SOURCE`.
    private static let pollHangUp: Int16 = 0x2000

    /// Waits for `duration`. Returns why the wait ended early; nil for a full wait.
    package func pause(for duration: Duration) -> OriginEnding? {
        let end = ContinuousClock.now + duration
        while true {
            let left = end - .now
            guard left > .zero else { return nil }
            if case .interrupted(let ending) = poll(timeout: left) { return ending }
        }
    }

    /// Waits until `gate` is open. Returns why the wait ended early; nil once the gate is open.
    package func wait(for gate: Gate) -> OriginEnding? {
        while true {
            switch poll(gate.descriptor, Int16(POLLIN)) {
            case .ready: return nil
            case .interrupted(let ending): return ending
            case .timedOut: continue
            }
        }
    }

    /// Waits until the client leaves or the origin stops.
    package func stall() -> OriginEnding {
        while true {
            if case .interrupted(let ending) = poll() { return ending }
        }
    }

    /// Sends all of `bytes`. Returns why it could not; nil on success.
    package func send(_ bytes: Data) -> OriginEnding? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EINTR {
                if case .interrupted(let ending) = poll(descriptor, Int16(POLLOUT)) { return ending }
            } else {
                return .clientLeft
            }
        }
        return nil
    }

    /// Receives up to `limit` bytes. Returns none when the client has closed its half or the origin stops.
    package func receive(limit: Int = 16_384) -> Data {
        guard case .ready = poll(descriptor, Int16(POLLIN), minding: false) else { return Data() }
        var buffer = Data(count: limit)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return buffer.prefix(max(0, count))
    }

    /// Resets the connection at once (TCP RST); unsent bytes are dropped.
    ///
    /// Closing with a linger time of zero also resets, but the owner of the socket shuts it down gracefully first, and
    /// the client would see either of the two. Disconnecting (`AF_UNSPEC`) resets right here.
    package func reset() {
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private enum Wakeup {
        case ready
        case timedOut
        case interrupted(OriginEnding)
    }

    private func poll(
        _ awaited: CInt = -1, _ events: Int16 = 0, minding clientLeaves: Bool = true, timeout: Duration? = nil
    ) -> Wakeup {
        // poll(2) skips a negative descriptor.
        var watched = [
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: awaited, events: events, revents: 0),
            pollfd(fd: clientLeaves ? descriptor : -1, events: Self.pollHangUp, revents: 0),
        ]
        let count = Glibc.poll(&watched, nfds_t(watched.count), timeout?.pollMilliseconds ?? -1)
        guard count > 0 else { return .timedOut }
        if watched[0].revents != 0 { return .interrupted(.stopped) }
        if watched[2].revents != 0 { return .interrupted(.clientLeft) }
        return .ready
    }
}

extension Duration {
    /// Rounded up, so that a wait never ends early.
    fileprivate var pollMilliseconds: CInt {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
