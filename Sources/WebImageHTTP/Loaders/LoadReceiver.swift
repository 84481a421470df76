import FoundationEssentials
import Synchronization
import WebImageCore

/// The caller's closure for one load, which gets one end and is released with it.
final class LoadReceiver: Sendable {
    typealias Receive = @Sendable (ImageLoadEvent) -> Void

    /// The closure is in a structure: a closure directly in a `Mutex` is wrapped in another closure at each access,
    /// until a call of it overflows the stack.
    private struct State {
        var receive: Receive?
    }

    private let state: Mutex<State>

    init(_ receive: @escaping Receive) {
        state = Mutex(State(receive: receive))
    }

    func report(_ progress: LoadProgress) {
        state.withLock { $0 }.receive?(.progress(progress))
    }

    func report(_ data: Data) {
        state.withLock { $0 }.receive?(.data(data))
    }

    /// The closure for the first caller, which delivers the end; nil for all later callers.
    func take() -> Receive? {
        let state = state.withLock { state in
            defer { state.receive = nil }
            return state
        }
        return state.receive
    }
}
