import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageLoading

/// One load of a simulation with all its reports, checked against the rules as they arrive.
final class ObservedLoad: Sendable {
    struct State: Sendable {
        var operation: LoadOperation?
        var task: Task<Void, Never>?
        var endingCount = 0
        /// An update or the ending is being reported.
        var isTelling = false
        /// Progress is being reported.
        var isProgressing = false
        var hasGivenUp = false
        /// `cancel()` has returned.
        var isCancelled = false
        /// The time when the last interest in it ended.
        var overSince: Int?
        /// Another caller may have cancelled it.
        var mayBeCancelled = false
        var cachedCount = 0
        /// Its picture came from its loader.
        var wasLoaded = false
    }

    typealias Wish = SimulatedRequest.Wish

    let number: Int
    let request: SimulatedRequest
    /// An awaited load gets the cached picture where refreshing it fails.
    let isAwaited: Bool
    /// Called back on the main queue, and cancelled there only.
    let isOfView: Bool
    let schedule: any Schedule
    let server: SimulatedServer
    let cache: SimulatedCache
    private let didEnd: Step
    let state = Mutex(State())

    init(
        _ number: Int, _ request: SimulatedRequest, isAwaited: Bool, isOfView: Bool, in simulation: Simulation,
        didEnd: @escaping Step
    ) {
        self.number = number
        self.request = request
        self.isAwaited = isAwaited
        self.isOfView = isOfView
        self.didEnd = didEnd
        schedule = simulation.schedule
        server = simulation.server
        cache = simulation.cache
    }

    var wish: Wish { request.wish }

    /// Whether its work may continue: work that was pending when the load ended ends by itself.
    var mayWork: Bool {
        let stepBegan = schedule.stepBegan
        return state.withLock { state in
            guard let overSince = state.overSince else { return true }
            return overSince > stepBegan || request.isAskingLoader || wish.interception.takesOver
        }
    }

    /// Whether it will report nothing more.
    var isSettled: Bool { state.withLock { $0.endingCount > 0 || $0.hasGivenUp } }
    var hasEnded: Bool { state.withLock { $0.endingCount > 0 } }
    var operation: LoadOperation? { state.withLock { $0.operation } }
    /// `cancel()` has returned.
    var wasCancelled: Bool { state.withLock { $0.isCancelled } }
    var isEndedOrCancelled: Bool { state.withLock { $0.endingCount > 0 || $0.isCancelled } }
    var wasLoaded: Bool { state.withLock { $0.wasLoaded } }

    func note(_ text: @autoclosure () -> String) { schedule.note("load \(number): \(text())") }

    func check(_ condition: Bool, _ text: @autoclosure () -> String) {
        schedule.check(condition, "load \(number): \(text())")
    }

    // MARK: The owner's actions

    func began(_ operation: LoadOperation) { state.withLock { $0.operation = operation } }

    func began(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

    /// Releases the load and returns the former reference.
    func release() -> LoadOperation? {
        state.withLock { state in
            state.task = nil
            return state.operation.take()
        }
    }

    func cancel() {
        let (operation, task) = state.withLock { state in
            state.mayBeCancelled = true
            return (state.operation, state.task)
        }
        note("is cancelled")
        operation?.cancel()
        if let task { schedule.withoutInterleaving { task.cancel() } }
        guard operation != nil else { return }
        // Threads that do not share a queue with the callbacks may still get a pending picture.
        guard schedule.isStepped || isOfView && schedule.isOnMain else { return }
        state.withLock { $0.isCancelled = true }
        isOver()
    }

    private func isOver() {
        let time = schedule.time
        state.withLock { if $0.overSince == nil { $0.overSince = time } }
    }

    /// Another caller cancels.
    func mayBeCancelled() { state.withLock { $0.mayBeCancelled = true } }

    /// Its listener has stopped before the end.
    func gaveUp() {
        note("is given up")
        state.withLock { state in
            state.hasGivenUp = true
            state.mayBeCancelled = true
        }
        isOver()
        didEnd()
    }

    // MARK: Reports

    func progressed(_ progress: LoadProgress) {
        note("progress \(progress.receivedByteCount)")
        check(!hasEnded, "progress after the end")
        if schedule.isStepped { check(!state.withLock { $0.isCancelled }, "progress after cancel() returned") }
        check(progress.receivedByteCount <= SimulatedPicture.byteCount, "progress beyond the whole")
        let isFirst = state.withLock { state in
            defer { state.isProgressing = true }
            return !state.isProgressing
        }
        check(isFirst, "progress is told by two at a time")
        schedule.interleave()
        state.withLock { $0.isProgressing = false }
    }

    func received(_ update: LoadEvent) { tell { hear(update) } }

    func completed(_ outcome: Result<LoadResult, WebImageError>) { tell { hear(outcome) } }

    /// Only progress may run concurrently with other reports.
    private func tell(_ news: () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        check(isFirst, "two things are told at a time")
        news()
        state.withLock { $0.isTelling = false }
    }

    private func hear(_ update: LoadEvent) {
        check(!hasEnded, "an update after the end")
        check(!state.withLock { $0.isCancelled }, "an update after cancel() returned")
        switch update {
        case .cached(let result):
            note("is told of the cached \(SimulatedPicture(result.image))")
            check(wish.options.contains(.refreshCached), "a cached picture that was not asked for")
            check(result.cacheType != .noCache, "a cached picture that is not from a cache")
            let count = state.withLock { state in
                state.cachedCount += 1
                return state.cachedCount
            }
            check(count == 1 || wish.interception.asksOften, "two cached pictures")
            checkPicture(result.image)
        case .preview: check(false, "a preview that was not asked for")
        case .progress, .finished: check(false, "an event that has a closure of its own")
        case .partial(let image):
            note("is told of the part \(SimulatedPicture(image))")
            check(wish.options.contains(.progressiveLoad), "a part that was not asked for")
            check(image.metadata.isIncremental, "a part that does not say so")
            checkPicture(image, .partial)
        }
        schedule.interleave()
    }

    private func hear(_ outcome: Result<LoadResult, WebImageError>) {
        let (count, wasCancelled, isProgressing) = state.withLock { state in
            state.endingCount += 1
            return (state.endingCount, state.isCancelled, state.isProgressing)
        }
        isOver()
        check(count == 1, "\(count) endings")
        check(!isProgressing, "the end is told beside progress")
        switch outcome {
        case .success(let result):
            note("ends with \(SimulatedPicture(result.image)) from \(result.cacheType)")
            check(!wasCancelled, "a picture after cancel() returned")
            if result.cacheType == .noCache, wish.interception != .answer { state.withLock { $0.wasLoaded = true } }
            checkResult(result)
        case .failure(let error):
            note("ends with \(error.code.rawValue)")
            checkFailure(error)
        }
        if count == 1 { didEnd() }
        schedule.interleave()
    }
}
