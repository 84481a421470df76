import Dispatch
import Synchronization

/// Work for workers that no picture waits for. Any thread.
final class BackgroundWork: Sendable {
    /// Performs work, of which the group has a member until the work is done and has let go of what it held.
    typealias Perform = @Sendable (DispatchGroup, @escaping @Sendable () -> Void) -> Void

    private let perform: Perform
    private let pendingCount = Atomic(0)
    private let pending = DispatchGroup()

    /// More is done at once, by the thread that asks for it: processes must not end more slowly than they are started.
    private static let maximumCount = 16

    init(
        perform: @escaping Perform = { group, work in
            DispatchQueue.global(qos: .utility).async(group: group, execute: work)
        }
    ) {
        self.perform = perform
    }

    func add(_ work: @escaping @Sendable () -> Void) {
        guard pendingCount.add(1, ordering: .relaxed).newValue <= Self.maximumCount else {
            work()
            pendingCount.subtract(1, ordering: .relaxed)
            return
        }
        perform(pending) { [self] in
            work()
            pendingCount.subtract(1, ordering: .relaxed)
        }
    }

    /// Waits until all is done, and what it held is closed.
    func finish() { pending.wait() }
}
