import Synchronization

/// Tasks that wait for the network.
package final class NetworkReturn: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
        var isListening = false
    }

    private let state = Mutex(State())
    private let listen: @Sendable (Bool, NetworkReturn) -> Void

    /// - Parameter listen: Is told whether a task waits, one change after the other.
    package init(listen: @escaping @Sendable (_ isAwaited: Bool, _ tasks: NetworkReturn) -> Void = { _, _ in }) {
        self.listen = listen
    }

    /// Returns after the next ``announce()``, or when the task is cancelled.
    package func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // A cancellation before this has found nothing to end.
                    guard !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    tellListener(&state)
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                tellListener(&state)
                return continuation
            }
            continuation?.resume()
        }
    }

    /// The network is back.
    package func announce() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = [:]
            tellListener(&state)
            return waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Under the lock, so that no change overtakes another.
    private func tellListener(_ state: inout State) {
        guard state.isListening == state.waiting.isEmpty else { return }
        state.isListening.toggle()
        listen(state.isListening, self)
    }
}
