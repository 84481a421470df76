import FoundationEssentials
import Synchronization
import WebImageCore

/// Tells the listeners of one load when its stages begin and end. A load without listeners has no trace.
///
/// Several threads may work for the load at once: one begins to decode while another one cancels. In any case each
/// stage that begins ends once, before the whole load does, and listeners get these events in that order.
final class LoadTrace: Sendable {
    typealias Stage = LoadStageEvent.Stage
    typealias Instant = ContinuousClock.Instant

    private struct News {
        let stage: Stage
        let phase: LoadStageEvent.Phase
        var transfer: TransferMetrics?
    }

    private struct State {
        var open: [Stage: Instant] = [:]
        /// Whether the first bytes have arrived since the load has begun, or begun again.
        var hasBytes = false
        var isOver = false

        mutating func end(_ stages: [Stage], _ outcome: LoadStageEvent.Outcome, at now: Instant) -> [News] {
            stages.compactMap { stage in
                open.removeValue(forKey: stage).map {
                    News(stage: stage, phase: .ended(outcome, duration: $0.duration(to: now)))
                }
            }
        }
    }

    let load: UInt64
    private let parent: UInt64?
    private let url: URL
    private let listeners: [any LoadListener]
    private let clock = ContinuousClock()
    private let state = Mutex(State())
    private let telling = OrderedCallbacks(.current)

    private static let lastLoad = Atomic<UInt64>(0)

    /// nil without listeners.
    init?(url: URL, parent: UInt64?, listeners: [any LoadListener]) {
        guard !listeners.isEmpty else { return nil }
        load = Self.lastLoad.add(1, ordering: .relaxed).newValue
        self.parent = parent
        self.url = url
        self.listeners = listeners
    }

    /// Without effect on a stage that is under way, and after the end of the load.
    func begin(_ stage: Stage) {
        add(beginningOf: stage)
        flush()
    }

    /// Without effect on a stage that is not under way.
    func end(_ stage: Stage, _ outcome: LoadStageEvent.Outcome) {
        add(endOf: stage, outcome)
        flush()
    }

    // Adding an event calls no listener, so that locks may be held; ``flush()`` delivers it.

    func add(beginningOf stage: Stage) {
        add { state, now in
            guard !state.isOver, state.open[stage] == nil else { return [] }
            state.open[stage] = now
            return [News(stage: stage, phase: .began)]
        }
    }

    func add(endOf stage: Stage, _ outcome: LoadStageEvent.Outcome, transfer: TransferMetrics? = nil) {
        add { state, now in
            state.end([stage], outcome, at: now).map { News(stage: $0.stage, phase: $0.phase, transfer: transfer) }
        }
    }

    /// Delivers the added events to the listeners.
    func flush() { telling.flush() }

    func note(_ progress: LoadProgress) {
        guard progress.receivedByteCount > 0 else { return }
        tell { state, now in
            guard !state.hasBytes, let began = state.open[.load] else { return [] }
            state.hasBytes = true
            return [News(stage: .load, phase: .firstByte(after: began.duration(to: now)))]
        }
    }

    /// The whole load has ended.
    func finish(_ outcome: Result<LoadResult, WebImageError>) {
        let cancelled = LoadStageEvent.Outcome.failed(.cancelled(url: url))
        tell { state, now in
            state.isOver = true
            // Only a cancellation ends a load while a stage is under way.
            return state.end([.deliver], .done(byteCount: nil), at: now)
                + state.end(Stage.allCases.filter { $0 != .whole }, cancelled, at: now)
                + state.end([.whole], outcome.traced { $0.byteCount }, at: now)
        }
    }

    private func tell(_ change: (inout State, Instant) -> [News]) {
        add(change)
        flush()
    }

    private func add(_ change: (inout State, Instant) -> [News]) {
        state.withLock { state in
            let now = clock.now
            for news in change(&state, now) {
                let event = LoadStageEvent(
                    load: load, parent: parent, url: url, stage: news.stage, phase: news.phase,
                    transfer: news.transfer, instant: now)
                telling.add { [listeners] in for listener in listeners { listener.receive(event) } }
            }
        }
    }
}

extension LoadTrace {
    /// Notes that an interceptor that had taken the load over has ended it.
    func noteAnswer(_ outcome: Result<LoadResult, WebImageError>) { end(.intercept, outcome.traced { $0.byteCount }) }

    /// Notes the cancellation: it ends all current stages.
    func stop() {
        state.withLock { $0.hasBytes = false }
        for stage in Stage.allCases where stage != .whole && stage != .deliver {
            end(stage, .failed(.cancelled(url: url)))
        }
    }
}

extension Result where Failure == WebImageError {
    func traced(_ byteCount: (Success) -> Int) -> LoadStageEvent.Outcome {
        switch self {
        case .success(let value): .done(byteCount: byteCount(value))
        case .failure(let error): .failed(error)
        }
    }
}
