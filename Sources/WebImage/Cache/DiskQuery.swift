import Synchronization

/// One query of the disk: it calls back exactly once, with the entry or with a cancellation, whichever comes first.
final class DiskQuery: CancellableTask {
    typealias Completion = @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void

    private struct State {
        var completion: Completion?
        var takeOut: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(completion: @escaping Completion) {
        state = Mutex(State(completion: completion))
    }

    /// Whether it has called back.
    var isOver: Bool { state.withLock { $0.completion == nil } }

    /// Calls back, unless that has happened.
    func finish(_ result: Result<DiskCacheEntry?, WebImageError>) {
        end().completion?(result)
    }

    func cancel() {
        let (completion, takeOut) = end()
        takeOut?()
        completion?(.failure(.cancelled()))
    }

    /// Sets how a cancellation removes the query from its queue.
    func whenCancelled(_ takeOut: @escaping @Sendable () -> Void) {
        state.withLock { if $0.completion != nil { $0.takeOut = takeOut } }
    }

    private func end() -> (completion: Completion?, takeOut: (@Sendable () -> Void)?) {
        state.withLock { state in
            defer { state = State() }
            return (state.completion, state.takeOut)
        }
    }
}
