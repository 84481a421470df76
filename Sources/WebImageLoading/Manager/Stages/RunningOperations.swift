import Synchronization
import WebImageCore

/// The loads that have not ended: retains them, and serves `cancelAll`.
final class RunningOperations: Sendable {
    private struct State {
        var operations: [ObjectIdentifier: (number: UInt64, operation: any CancellableTask)] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.operations.isEmpty } }

    /// In the order in which they began.
    var all: [any CancellableTask] {
        state.withLock { Array($0.operations.values) }.sorted { $0.number < $1.number }.map(\.operation)
    }

    func insert(_ operation: any CancellableTask) {
        state.withLock { state in
            state.lastNumber += 1
            state.operations[ObjectIdentifier(operation)] = (state.lastNumber, operation)
        }
    }

    /// Without effect on one that is not among them.
    func remove(_ operation: any CancellableTask) {
        _ = state.withLock { $0.operations.removeValue(forKey: ObjectIdentifier(operation)) }
    }
}
