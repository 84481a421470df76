import Synchronization

/// A value behind a lock that tasks can wait on, so that tests wait for a state and never for a time.
package final class Observed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var revision: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    /// The current value.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes all tasks that wait for a change.
    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = change(&state.value)
            state.revision += 1
            let waiters = state.waiters.values
            state.waiters = [:]
            return (result, Array(waiters))
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    /// Returns the first value seen that satisfies `condition`, at once when it already does.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    @discardableResult
    package func wait(until condition: @Sendable (Value) -> Bool) async throws(CancellationError) -> Value {
        while true {
            let (value, revision) = state.withLock { ($0.value, $0.revision) }
            if condition(value) { return value }
            await nextChange(after: revision)
            if Task.isCancelled { throw CancellationError() }
        }
    }

    private func nextChange(after revision: UInt64) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStale = state.withLock { state in
                    if state.revision != revision || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isStale { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
