import FoundationEssentials
import Synchronization
import WebImageCore

/// One call of ``WebImagePrefetcher/prefetch(_:progress:completed:)``: the handle to cancel it and to observe it. It
/// need not be retained. Safe to use from any thread.
public final class PrefetchToken: CancellableTask {
    /// The requests, in their order.
    public let requests: [ImageRequest]

    /// The requested addresses, in their order, without nil.
    public var urls: [URL] { requests.compactMap(\.url) }

    typealias Handler = @Sendable (_ count: Int, _ otherCount: Int) -> Void

    private struct State {
        var progress: PrefetchProgress
        var isCancelled = false
        var waiters: [CheckedContinuation<PrefetchProgress, Never>] = []
        var listeners: [Int: AsyncStream<PrefetchProgress>.Continuation] = [:]
        var lastListener = 0
        var handlers: Handlers
    }

    private struct Handlers {
        var progress: Handler?
        var completed: Handler?
    }

    let batch: PrefetchStateMachine.Batch
    /// Calls the caller's handlers and the delegate.
    private let callbacks: OrderedCallbacks
    /// Wakes waiters and listeners, on any thread.
    private let announcements = OrderedCallbacks(.current)
    private let send: @Sendable (PrefetchStateMachine.Event) -> Void
    private let state: Mutex<State>

    init(
        _ batch: PrefetchStateMachine.Batch, requests: [ImageRequest], callbacks: OrderedCallbacks,
        progress: Handler?, completed: Handler?, send: @escaping @Sendable (PrefetchStateMachine.Event) -> Void
    ) {
        self.batch = batch
        self.requests = requests
        self.callbacks = callbacks
        self.send = send
        state = Mutex(
            State(
                progress: PrefetchProgress(totalCount: requests.count),
                handlers: Handlers(progress: progress, completed: completed)))
    }

    /// The current progress.
    public var progress: PrefetchProgress { state.withLock { $0.progress } }

    /// Ends the call at once: unfinished pictures count as skipped, the progress handler is not called any more, and
    /// the completion is called once, on its queue. Loads that a view shares continue for the view. No effect after the
    /// end.
    public func cancel() {
        let isRunning = state.withLock { state in
            guard !state.progress.isFinished else { return false }
            state.isCancelled = true
            return true
        }
        if isRunning { send(.cancelled(batch)) }
    }

    /// Cancels the pictures that have not begun; the others continue.
    func withdraw() { send(.withdrawn(batch)) }

    /// The final progress, once every picture has ended or the token was cancelled. Cancelling the waiting task does
    /// not cancel the prefetching.
    public var result: PrefetchProgress {
        get async {
            await withCheckedContinuation { continuation in
                let ended = state.withLock { state -> PrefetchProgress? in
                    guard !state.progress.isFinished else { return state.progress }
                    state.waiters.append(continuation)
                    return nil
                }
                if let ended { continuation.resume(returning: ended) }
            }
        }
    }

    /// The current progress and each further step, to the end. A slow listener misses steps, never the last one.
    public var updates: AsyncStream<PrefetchProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PrefetchProgress.self, bufferingPolicy: .bufferingNewest(1))
        announcements.add { self.add(continuation) }
        announcements.flush()
        return stream
    }
}

// MARK: - Reports of the prefetcher

extension PrefetchToken {
    /// Stores the progress and a callback for later. Calls no handler, so that the prefetcher's lock may be held;
    /// ``announce()`` calls them.
    func record(_ progress: PrefetchProgress, callback: @escaping @Sendable () -> Void) {
        state.withLock { $0.progress = progress }
        announcements.add { self.tellListeners() }
        callbacks.add(callback)
    }

    func announce() {
        announcements.flush()
        callbacks.flush()
    }

    /// The token of a call without requests. The prefetcher does not know it, and the delegate is not called.
    static func ended(callbacks: OrderedCallbacks, _ completed: Handler?) -> PrefetchToken {
        let token = PrefetchToken(
            0, requests: [], callbacks: callbacks, progress: nil, completed: completed, send: { _ in })
        token.endAlone()
        return token
    }

    /// Ends the token without its prefetcher, which is being deallocated: what has not ended counts as skipped.
    func endAlone() {
        var ending = progress
        ending.skippedCount += ending.totalCount - ending.finishedCount
        ending.finishedCount = ending.totalCount
        record(ending) { [ending] in self.complete(ending) }
        announce()
    }

    /// Calls the progress handler, unless the token was cancelled meanwhile.
    func tell(_ progress: PrefetchProgress) {
        let handlers = state.withLock { $0.isCancelled ? Handlers() : $0.handlers }
        handlers.progress?(progress.finishedCount, progress.totalCount)
    }

    /// Calls the completion, and releases both handlers.
    func complete(_ progress: PrefetchProgress) {
        let handlers = state.withLock { state in
            defer { state.handlers = Handlers() }
            return state.handlers
        }
        handlers.completed?(progress.finishedCount, progress.skippedCount)
    }

    private func add(_ listener: AsyncStream<PrefetchProgress>.Continuation) {
        let (number, progress) = state.withLock { state in
            state.lastListener += 1
            if !state.progress.isFinished { state.listeners[state.lastListener] = listener }
            return (state.lastListener, state.progress)
        }
        listener.onTermination = { [weak self] _ in self?.removeListener(number) }
        // A stream that ended before `onTermination` was set does not call it.
        if case .terminated = listener.yield(progress) { removeListener(number) }
        if progress.isFinished { listener.finish() }
    }

    private func removeListener(_ number: Int) {
        let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(listener) {}
    }

    /// The number of running streams of ``updates``.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    private func tellListeners() {
        let (progress, listeners, waiters) = state.withLock { state in
            defer { if state.progress.isFinished { (state.listeners, state.waiters) = ([:], []) } }
            return (state.progress, Array(state.listeners.values), state.progress.isFinished ? state.waiters : [])
        }
        for listener in listeners {
            listener.yield(progress)
            if progress.isFinished { listener.finish() }
        }
        for waiter in waiters { waiter.resume(returning: progress) }
    }
}
