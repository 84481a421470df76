import Synchronization

/// Tasks that wait for the network.
package final class NetworkReturn: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

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
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// The network is back.
    package func announce() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }
}
