import Glibc
import Synchronization

/// Ends connections whose clients send a request, or take an answer, too slowly: libmicrohttpd's own limit begins again with
/// each byte. Any thread.
final class ConnectionTimes: Sendable {
    private struct State {
        var deadlines: [CInt: ContinuousClock.Instant] = [:]
        var watch: Task<Void, Never>?
    }

    private let limits: HTTPServer.Limits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    init(_ limits: HTTPServer.Limits, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.limits = limits
        self.now = now
    }

    /// Looks once in a second from now on.
    func begin() {
        let watch = Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil { self?.endLate() }
        }
        state.withLock { $0.watch = watch }
    }

    func end() { state.withLock { $0.watch.take() }?.cancel() }

    func awaitHead(on socket: CInt) { setDeadline(after: limits.headTime, of: socket) }

    func awaitTaking(on socket: CInt) { setDeadline(after: limits.answerTime, of: socket) }

    /// Called before the socket is closed, so that no other one with its number is ended in its place.
    func forget(_ socket: CInt) { state.withLock { $0.deadlines[socket] = nil } }

    private func setDeadline(after time: Duration, of socket: CInt) {
        let deadline = now() + time
        state.withLock { $0.deadlines[socket] = deadline }
    }

    /// Ends the connections whose time is over; the daemon sees their end as the client's.
    func endLate() {
        let now = now()
        state.withLock { state in
            for (socket, deadline) in state.deadlines where deadline <= now {
                shutdown(socket, Int32(SHUT_RDWR))
                state.deadlines[socket] = nil
            }
        }
    }
}
