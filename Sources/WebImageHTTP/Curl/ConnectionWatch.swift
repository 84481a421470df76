import CCurl
import Dispatch
import Glibc
import Synchronization
import WebImageCore

/// The connections of a ``CurlMulti``, and an end for the one that does not let it go.
///
/// Some versions of libcurl, 7.88 among them, read a connection of HTTP/2 in one call until it has no more bytes. A server
/// that sends frames without a meaning (empty ones, say) as fast as they are read keeps the transfer thread in that call,
/// and with it all other loads, and their limits of time. So another thread looks now and then whether a call does not end,
/// and then shuts the busiest connection down. Without calls, nothing looks.
///
/// Also the context of libcurl's callback for the end of a connection: it must outlive the multi handle.
final class ConnectionWatch: Sendable {
    typealias Instant = SuspendingClock.Instant

    fileprivate struct State {
        /// The open connections, with the bytes that they had received at the last look at a long call.
        var connections: [CInt: UInt64] = [:]
        /// When the call under way began; nil without one.
        var call: Instant?
        /// The call during which the bytes were counted.
        var countedCall: Instant?
        var isLooking = false
    }

    private let state = Mutex(State())
    private let limit: Duration
    private let interval: Duration

    /// - Parameters:
    ///   - limit: How long a call may last; without a flood, it lasts milliseconds.
    ///   - interval: The time between two looks.
    init(limit: Duration = .seconds(3), interval: Duration = .seconds(1)) {
        self.limit = limit
        self.interval = interval
    }

    func add(_ descriptor: CInt) { state.withLock { $0.connections[descriptor] = 0 } }

    /// Under the lock: ``look()`` must not shut down another file that gets the number.
    func close(_ descriptor: CInt) -> CInt {
        state.withLock { state in
            state.connections[descriptor] = nil
            return Glibc.close(descriptor)
        }
    }

    /// Performs `call`, which reads connections.
    func during<Failure: Error>(_ call: () throws(Failure) -> Void) throws(Failure) {
        let looks = state.withLock { state in
            state.call = .now
            defer { state.isLooking = true }
            return state.isLooking
        }
        if !looks { look(after: interval) }
        defer { state.withLock { $0.call = nil } }
        try call()
    }

    private func look(after time: Duration) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + time.seconds) { [weak self] in self?.look() }
    }

    private func look() {
        let next = state.withLock { state -> Duration? in
            guard let call = state.call else {
                state.isLooking = false
                return nil
            }
            guard call.duration(to: .now) >= limit else { return interval }
            if state.countedCall != call {
                state.count(during: call)
                return interval / 10
            }
            state.shutDownBusiest()
            return interval
        }
        if let next { look(after: next) }
    }
}

extension ConnectionWatch.State {
    fileprivate mutating func count(during call: ConnectionWatch.Instant) {
        for descriptor in connections.keys { connections[descriptor] = receivedByteCount(descriptor) }
        countedCall = call
    }

    /// The one that has received most since the last count.
    fileprivate mutating func shutDownBusiest() {
        countedCall = nil
        let growth = connections.map { ($0.key, receivedByteCount($0.key).subtractingReportingOverflow($0.value)) }
        guard let busiest = growth.filter({ !$0.1.overflow }).max(by: { $0.1.partialValue < $1.1.partialValue }),
            busiest.1.partialValue > 0
        else { return }
        shutdown(busiest.0, CInt(SHUT_RDWR))
    }
}

/// The bytes that have come over a TCP connection; 0 where the kernel does not tell.
private func receivedByteCount(_ descriptor: CInt) -> UInt64 {
    // TCP_INFO: tcpi_bytes_received is at byte 128 of the kernel's structure (linux/tcp.h), and not in the C library's.
    var info = [UInt64](repeating: 0, count: 17)
    var size = socklen_t(info.count * MemoryLayout<UInt64>.size)
    guard getsockopt(descriptor, CInt(IPPROTO_TCP), 11, &info, &size) == 0 else { return 0 }
    return info[16]
}

extension CurlHandle {
    /// Lets `watch` close the connections that are made for the request.
    func setClosing(by watch: ConnectionWatch) throws(WebImageError) {
        try set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(watch).toOpaque())
        try set(closeCallback: { context, descriptor in
            guard let context else { return Glibc.close(descriptor) }
            return Unmanaged<ConnectionWatch>.fromOpaque(context).takeUnretainedValue().close(descriptor)
        })
    }
}
