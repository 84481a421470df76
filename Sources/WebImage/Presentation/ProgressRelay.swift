import Synchronization

/// Takes what loads tell of their progress, on any thread, to a view's progress objects and to its indicator on the main
/// thread: Foundation's `Progress` has no lock on Linux, and its children change their parent.
///
/// A load that is no longer the latest of its key changes nothing.
package final class ProgressRelay: Sendable {
    package typealias Generation = ViewLoadState.Generation

    /// The progress of the loads under one key.
    fileprivate struct Meter {
        var generation: Generation?
        var counts = ProgressCounts()
        var object: (any ProgressCounting)?
        /// Whether the object will be told; what comes meanwhile is told with it.
        var isPending = false
    }

    fileprivate struct State {
        var meters: [ViewLoadKey: Meter] = [:]
        var hasIndicator = false
        var leading: Generation?
        /// On its way to the indicator, the same way.
        var pending: Double?
    }

    private let state = Mutex(State())
    private let queue: CallbackQueue
    private let indicate: @MainActor @Sendable (Double) -> Void

    /// - Parameters:
    ///   - queue: Leads to the main thread.
    ///   - indicate: Gets how much of the leading load has come, from 0 to 1.
    package init(queue: CallbackQueue, indicate: @escaping @MainActor @Sendable (Double) -> Void) {
        self.queue = queue
        self.indicate = indicate
    }

    /// The object that shows the progress of the loads under `key`.
    package func object(for key: ViewLoadKey) -> (any ProgressCounting)? {
        state.withLock { $0.meters[key]?.object }
    }

    /// Lets `object` show the progress of the loads under `key`, that of one which runs already included.
    @MainActor
    package func setObject(_ object: (any ProgressCounting)?, for key: ViewLoadKey) {
        let former = state.withLock { state in
            let former = state.meters[key]?.object
            state.meters[key, default: Meter()].object = object
            return former
        }
        // The app's own, so let go outside the lock.
        withExtendedLifetime(former) {}
        if state.withLock({ $0.meters[key]?.generation != nil }) { show(key) }
    }

    /// Forgets all about `key`.
    package func remove(_ key: ViewLoadKey) {
        let former = state.withLock { $0.meters.removeValue(forKey: key) }
        withExtendedLifetime(former) {}
    }

    /// Whether there is an indicator, and whose progress it shows.
    package func setIndicator(_ isThere: Bool, leading: Generation?) {
        state.withLock { state in
            state.hasIndicator = isThere
            state.leading = leading
        }
    }

    /// A load begins under `key`: nothing of nothing has come.
    @MainActor
    package func begin(_ generation: Generation, key: ViewLoadKey) {
        state.withLock { state in
            state.meters[key, default: Meter()].generation = generation
            state.meters[key]?.counts = ProgressCounts()
            state.forgetOldMeters()
        }
        show(key)
    }

    /// Bytes have come. Any thread.
    package func report(_ progress: LoadProgress, of generation: Generation, key: ViewLoadKey) {
        let (mustShow, mustIndicate) = state.withLock { $0.note(progress, of: generation, key: key) }
        if mustShow { queue.run { MainActor.assumeIsolated { self.show(key) } } }
        if mustIndicate { queue.run { MainActor.assumeIsolated { self.indicatePending(of: generation) } } }
    }

    /// A load has brought its picture: all has come, however little was told of it.
    @MainActor
    package func finish(_ generation: Generation, key: ViewLoadKey) {
        let isCurrent = state.withLock { state in
            guard let meter = state.meters[key], meter.generation == generation else { return false }
            state.meters[key]?.counts = meter.counts.finished
            return true
        }
        if isCurrent { show(key) }
    }

    @MainActor
    private func indicatePending(of generation: Generation) {
        let progress = state.withLock { state in
            let pending = state.pending.take()
            return state.hasIndicator && state.leading == generation ? pending : nil
        }
        if let progress { indicate(progress) }
    }

    @MainActor
    private func show(_ key: ViewLoadKey) {
        let news: (object: any ProgressCounting, counts: ProgressCounts)? = state.withLock { state in
            state.meters[key]?.isPending = false
            guard let meter = state.meters[key], let object = meter.object else { return nil }
            return (object, meter.counts)
        }
        if let news { news.object.show(completed: news.counts.completed, of: news.counts.total) }
    }
}

extension ProgressRelay.State {
    /// How many loads of which nobody has asked for the progress are remembered: an app may name each after its picture.
    private static let rememberedMeterCount = 16

    fileprivate mutating func forgetOldMeters() {
        guard meters.count > Self.rememberedMeterCount else { return }
        let oldest = meters.filter { $0.value.object == nil }.min {
            ($0.value.generation ?? 0) < ($1.value.generation ?? 0)
        }
        if let oldest { meters[oldest.key] = nil }
    }

    /// Whether the object, and whether the indicator, is to be told; otherwise it will be.
    fileprivate mutating func note(
        _ progress: LoadProgress, of generation: ProgressRelay.Generation, key: ViewLoadKey
    ) -> (object: Bool, indicator: Bool) {
        guard var meter = meters[key], meter.generation == generation else { return (false, false) }
        let mustShow = meter.object != nil && !meter.isPending
        meter.isPending = meter.object != nil
        meter.counts = ProgressCounts(progress)
        meters[key] = meter
        guard hasIndicator, leading == generation else { return (mustShow, false) }
        defer { pending = min(1, max(0, progress.fractionCompleted ?? 0)) }
        return (mustShow, pending == nil)
    }
}
