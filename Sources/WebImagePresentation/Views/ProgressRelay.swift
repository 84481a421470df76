import Synchronization
import WebImageCore

/// Passes the progress of loads, from any thread, to a view's progress objects and its indicator on the main thread:
/// Foundation's `Progress` has no lock on Linux, and its children change their parent.
///
/// The progress of a load that is not the latest of its key is ignored.
package final class ProgressRelay: Sendable {
    package typealias Generation = ViewLoadState.Generation

    /// The progress of the loads under one key.
    fileprivate struct Meter {
        var generation: Generation?
        var counts = ProgressCounts()
        var object: (any ProgressCounting)?
        /// Whether an update of the object is scheduled; later progress is delivered with it.
        var isPending = false
    }

    fileprivate struct State {
        var meters: [ViewLoadKey: Meter] = [:]
        var hasIndicator = false
        var leading: Generation?
        /// The indicator's scheduled update, likewise.
        var pending: Double?
    }

    private let state = Mutex(State())
    private let queue: CallbackQueue
    private let indicate: @MainActor @Sendable (Double) -> Void

    /// - Parameters:
    ///   - queue: A queue on the main thread.
    ///   - indicate: Gets the progress of the leading load, from 0 to 1.
    package init(queue: CallbackQueue, indicate: @escaping @MainActor @Sendable (Double) -> Void) {
        self.queue = queue
        self.indicate = indicate
    }

    /// The object for the progress of the loads under `key`.
    package func object(for key: ViewLoadKey) -> (any ProgressCounting)? {
        state.withLock { $0.meters[key]?.object }
    }

    /// Makes `object` show the progress of the loads under `key`, including one that runs already.
    @MainActor
    package func setObject(_ object: (any ProgressCounting)?, for key: ViewLoadKey) {
        let former = state.withLock { state in
            let former = state.meters[key]?.object
            state.meters[key, default: Meter()].object = object
            return former
        }
        // An object of the app's, so it is released outside of the lock.
        withExtendedLifetime(former) {}
        if state.withLock({ $0.meters[key]?.generation != nil }) { show(key) }
    }

    /// Removes everything under `key`.
    package func remove(_ key: ViewLoadKey) {
        let former = state.withLock { $0.meters.removeValue(forKey: key) }
        withExtendedLifetime(former) {}
    }

    /// Sets whether there is an indicator, and the load that it shows.
    package func setIndicator(_ isThere: Bool, leading: Generation?) {
        state.withLock { state in
            state.hasIndicator = isThere
            state.leading = leading
        }
    }

    /// A load begins under `key`: 0 of an unknown total.
    @MainActor
    package func begin(_ generation: Generation, key: ViewLoadKey) {
        state.withLock { state in
            state.meters[key, default: Meter()].generation = generation
            state.meters[key]?.counts = ProgressCounts()
            state.forgetOldMeters()
        }
        show(key)
    }

    /// Bytes have arrived. Any thread.
    package func report(_ progress: LoadProgress, of generation: Generation, key: ViewLoadKey) {
        let (mustShow, mustIndicate) = state.withLock { $0.note(progress, of: generation, key: key) }
        if mustShow { queue.run { MainActor.assumeIsolated { self.show(key) } } }
        if mustIndicate { queue.run { MainActor.assumeIsolated { self.indicatePending(of: generation) } } }
    }

    /// A load has ended with its picture: the progress is complete, whatever was reported before.
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
    /// The number of keys without a progress object that are remembered: an app may name each load after its picture.
    private static let rememberedMeterCount = 16

    fileprivate mutating func forgetOldMeters() {
        guard meters.count > Self.rememberedMeterCount else { return }
        let oldest = meters.filter { $0.value.object == nil }.min {
            ($0.value.generation ?? 0) < ($1.value.generation ?? 0)
        }
        if let oldest { meters[oldest.key] = nil }
    }

    /// Whether to schedule updates of the object and of the indicator; otherwise they are already scheduled.
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
