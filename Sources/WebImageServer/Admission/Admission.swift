import Synchronization

/// How many pictures may be in the making: those beyond are refused at once, so that the others come in time. Any thread.
final class Admission: Sendable {
    /// Why one is refused.
    enum Refusal: Equatable {
        case queueIsFull
        case clientHasTooMany
    }

    private struct State {
        var count = 0
        var byClient: [String: Int] = [:]
    }

    private let limit: Int
    private let clientLimit: Int?
    private let state = Mutex(State())

    init(limit: Int, clientLimit: Int?) {
        self.limit = limit
        self.clientLimit = clientLimit
    }

    var count: Int { state.withLock { $0.count } }

    /// Takes a place in the queue; ``leave()`` gives it back.
    func enter() -> Bool {
        state.withLock { state in
            guard state.count < limit else { return false }
            state.count += 1
            return true
        }
    }

    func leave() { state.withLock { $0.count -= 1 } }

    /// Counts a request of a client; ``endRequest(of:)`` ends it. False where it has too many.
    func beginRequest(of client: String) -> Bool {
        guard let clientLimit else { return true }
        return state.withLock { state in
            guard state.byClient[client, default: 0] < clientLimit else { return false }
            state.byClient[client, default: 0] += 1
            return true
        }
    }

    func endRequest(of client: String) {
        guard clientLimit != nil else { return }
        state.withLock { state in
            let count = state.byClient[client, default: 0] - 1
            state.byClient[client] = count > 0 ? count : nil
        }
    }
}
