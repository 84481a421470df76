import FoundationEssentials
import Synchronization

/// The caller's closure of one load, which hears of one ending and is let go with it.
final class LoadReceiver: Sendable {
    typealias Receive = @Sendable (ImageLoadEvent) -> Void

    /// A closure that stands in a `Mutex` by itself is wrapped in another one each time it is looked at, until a call of
    /// it runs out of stack; in a structure it stays as it is.
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

    /// The closure, for the one who may tell it the ending; nil for all who come later.
    func take() -> Receive? {
        let state = state.withLock { state in
            defer { state.receive = nil }
            return state
        }
        return state.receive
    }
}
