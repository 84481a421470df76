import CMicroHTTPD
import Synchronization

/// A request, and its answer once there is one. The daemon's thread of the connection, and the task that makes the answer, use it.
final class ServiceExchange: Sendable {
    let target: String

    enum Call {
        case head
        case request
        case begun
    }

    private struct State {
        var next = Call.head
        var answer: ServiceAnswer?
    }

    private let state = Mutex(State())

    init(target: String) { self.target = target }

    /// The answer, to be sent now.
    func takeAnswer() -> ServiceAnswer? { state.withLock { $0.answer.take() } }

    /// The call of the daemon for this request that comes now: the first has the head, others parts of a body, one the end.
    func nextCall() -> Call {
        state.withLock { state in
            defer { if state.next == .head { state.next = .request } }
            return state.next
        }
    }

    var hasBegun: Bool { state.withLock { $0.next == .begun } }

    /// The answer is on its way.
    func begin() { state.withLock { $0.next = .begun } }

    func finish(_ answer: ServiceAnswer) { state.withLock { $0.answer = answer } }
}
