import Synchronization

/// The loads that have not ended: what keeps them alive, and what `cancelAll` finds.
final class RunningOperations: Sendable {
    private let operations = Mutex<[ObjectIdentifier: LoadOperation]>([:])

    var isEmpty: Bool { operations.withLock { $0.isEmpty } }
    var all: [LoadOperation] { operations.withLock { Array($0.values) } }

    func insert(_ operation: LoadOperation) {
        operations.withLock { $0[ObjectIdentifier(operation)] = operation }
    }

    /// Returns whether the operation was among them.
    func remove(_ operation: LoadOperation) -> Bool {
        operations.withLock { $0.removeValue(forKey: ObjectIdentifier(operation)) } != nil
    }
}
