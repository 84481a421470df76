import FoundationEssentials
import Synchronization
import WebImageCore

/// A load that an interceptor has taken over: runs its function, and the loads that the function starts.
final class InterceptedLoad: CancellableTask {
    typealias Body = @Sendable (LoadChain) async throws(WebImageError) -> LoadResult
    /// Starts a load with the rest of the chain.
    typealias Proceed = @Sendable (ImageRequest, LoadCallbacks) -> LoadOperation

    private struct State {
        var task: Task<Void, Never>?
        var watchdog: Task<Void, Never>?
        var loads: [Int: DeferredLoad] = [:]
        var lastNumber = 0
        /// The priority that was set since the beginning.
        var priority: LoadPriority?
        var isOver = false
    }

    private let request: ImageRequest
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let taskExecutor: (any TaskExecutor)?
    private let proceed: Proceed
    /// The load that was taken over; the manager retains it while it runs.
    private weak let whole: LoadOperation?
    private let state = Mutex(State())

    init(
        _ request: ImageRequest, of whole: LoadOperation, timeout: Duration, clock: any Clock<Duration>,
        taskExecutor: (any TaskExecutor)?, proceed: @escaping Proceed
    ) {
        self.request = request
        self.whole = whole
        self.timeout = timeout
        self.clock = clock
        self.taskExecutor = taskExecutor
        self.proceed = proceed
    }

    /// Runs `body`, unless it was cancelled before.
    func start(_ body: @escaping Body) {
        guard !state.withLock({ $0.isOver }) else { return }
        watch()
        let task = Task(executorPreference: taskExecutor) {
            let chain = LoadChain(request: self.request) { [weak self] in await self?.load($0) ?? .failure(.cancelled())
            }
            do throws(WebImageError) {
                self.finish(.success(try await body(chain)))
            } catch {
                self.finish(.failure(error))
            }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    func cancel() {
        end()?.forEach { $0.cancel() }
    }

    func setPriority(_ priority: LoadPriority) {
        let loads = state.withLock { state in
            state.priority = priority
            return Array(state.loads.values)
        }
        for load in loads { load.operation?.setPriority(priority) }
    }

    private func finish(_ outcome: Result<LoadResult, WebImageError>) {
        guard let loads = end() else { return }
        for load in loads { load.cancel() }
        whole?.trace?.noteAnswer(outcome)
        whole?.finish(LoadEnding(outcome))
    }

    /// The loads that still run and whose results are not needed now; nil when this load had already ended.
    private func end() -> [DeferredLoad]? {
        let last: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true) }
            return state
        }
        last?.task?.cancel()
        last?.watchdog?.cancel()
        return last.map { Array($0.loads.values) }
    }
}

// MARK: - The rest of the chain

/// A load whose handle may not be known yet: it can end before the handle is returned.
private final class DeferredLoad: Sendable {
    private let cancellation = DeferredCancellation()
    private let started = Mutex<LoadOperation?>(nil)

    var operation: LoadOperation? { started.withLock { $0 } }

    func attach(_ operation: LoadOperation) {
        started.withLock { $0 = operation }
        cancellation.attach(operation)
    }

    func cancel() { cancellation.cancel() }
}

extension InterceptedLoad {
    private func load(_ request: ImageRequest) async -> Result<LoadResult, WebImageError> {
        let load = DeferredLoad()
        guard let number = begin(load) else { return .failure(.cancelled(url: request.url)) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let operation = proceed(
                    request,
                    callbacks { result in
                        self.remove(number)
                        continuation.resume(returning: result)
                    })
                load.attach(operation)
                if let priority = state.withLock({ $0.priority }) { operation.setPriority(priority) }
            }
        } onCancel: {
            load.cancel()
        }
    }

    /// Progress and partial pictures go directly to the caller of the whole load.
    private func callbacks(completed: @escaping LoadCallbacks.Completion) -> LoadCallbacks {
        LoadCallbacks(
            queue: .current, priority: whole?.priority, progress: { [weak whole] in whole?.report($0) },
            received: { [weak whole] in whole?.receive($0) }, completed: completed,
            requestedURL: whole?.url, parent: whole?.trace?.load)
    }

    /// nil when the whole load has ended.
    private func begin(_ load: DeferredLoad) -> Int? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.watchdog?.cancel()
            state.watchdog = nil
            state.lastNumber += 1
            state.loads[state.lastNumber] = load
            return state.lastNumber
        }
    }

    private func remove(_ number: Int) {
        let load = state.withLock { $0.loads.removeValue(forKey: number) }
        if load != nil { watch() }
    }

    /// Ends the load when its function is inactive for too long.
    private func watch() {
        let watchdog = Task(executorPreference: taskExecutor) { [weak self, clock, timeout, request] in
            guard (try? await clock.sleep(for: timeout)) != nil else { return }
            self?.finish(.failure(.interceptorTimedOut(after: timeout, url: request.url)))
        }
        let isWanted = state.withLock { state in
            guard !state.isOver, state.loads.isEmpty else { return false }
            state.watchdog?.cancel()
            state.watchdog = watchdog
            return true
        }
        if !isWanted { watchdog.cancel() }
    }
}

extension WebImageError {
    fileprivate static func interceptorTimedOut(after timeout: Duration, url: URL?) -> WebImageError {
        WebImageError(
            .timedOut, stage: .request, kind: .transient,
            reason: "an interceptor did nothing for \(timeout); raise interceptorTimeout if it needs longer",
            url: url)
    }
}
