import FoundationEssentials
import Synchronization

/// Tells the listeners of one load when its stages begin and end. A load that nobody listens to has none.
final class LoadTrace: Sendable {
    typealias Stage = LoadStageEvent.Stage

    private let load: UInt64
    private let url: URL
    private let listeners: [any LoadListener]
    private let clock = ContinuousClock()
    private let open = Mutex<[Stage: ContinuousClock.Instant]>([:])

    private static let lastLoad = Atomic<UInt64>(0)

    /// nil when there is nobody to tell.
    init?(url: URL, listeners: [any LoadListener]) {
        guard !listeners.isEmpty else { return nil }
        load = Self.lastLoad.add(1, ordering: .relaxed).newValue
        self.url = url
        self.listeners = listeners
    }

    func begin(_ stage: Stage) {
        let now = clock.now
        open.withLock { $0[stage] = now }
        tell(stage, .began, at: now)
    }

    /// Without effect on a stage that is not under way.
    func end(_ stage: Stage, _ outcome: LoadStageEvent.Outcome) {
        let now = clock.now
        guard let began = open.withLock({ $0.removeValue(forKey: stage) }) else { return }
        tell(stage, .ended(outcome, duration: began.duration(to: now)), at: now)
    }

    private func tell(_ stage: Stage, _ phase: LoadStageEvent.Phase, at instant: ContinuousClock.Instant) {
        let event = LoadStageEvent(load: load, url: url, stage: stage, phase: phase, instant: instant)
        for listener in listeners { listener.receive(event) }
    }
}

// MARK: - What the state machine says

extension LoadTrace {
    func note(_ action: LoadStateMachine.Action) {
        switch action {
        case .intercept: begin(.intercept)
        case .queryDisk(.result): begin(.disk)
        case .queryDisk(.original), .readCached: begin(.original)
        case .load: begin(.load)
        case .decode: begin(.decode)
        case .transform: begin(.transform)
        case .store: begin(.store)
        case .askToLoad, .removeFromDisk, .freshen, .deliver, .stop: break
        }
    }

    func note(_ event: LoadStateMachine.Event) {
        switch event {
        case .answered(let outcome): end(.intercept, outcome.traced { $0.byteCount })
        case .diskAnswered(let file):
            let outcome = file.map { LoadStageEvent.Outcome.done(byteCount: $0.entry.data.count) } ?? .missed
            end(.disk, outcome)
            end(.original, outcome)
        case .originalFound: end(.original, .done(byteCount: nil))
        case .loaded(let result): end(.load, result.traced { $0.data.count })
        case .decoded(let result): end(.decode, result.traced { $0.image.memoryCost })
        case .transformed(let transformed): end(.transform, .done(byteCount: transformed.image.memoryCost))
        case .stored: end(.store, .done(byteCount: nil))
        case .cancelled: endUnfinished()
        case .intercepted, .started, .permitted, .updated: break
        }
    }

    /// The whole load has ended, and its stages with it; but for the store, which may go on after its load.
    func finish(_ outcome: LoadStateMachine.Outcome) {
        end(.deliver, .done(byteCount: nil))
        end(.whole, outcome.traced { $0.byteCount })
    }

    private func endUnfinished() {
        for stage in Stage.allCases where stage != .whole && stage != .deliver {
            end(stage, .failed(.cancelled(url: url)))
        }
    }
}

extension Result where Failure == WebImageError {
    fileprivate func traced(_ byteCount: (Success) -> Int) -> LoadStageEvent.Outcome {
        switch self {
        case .success(let value): .done(byteCount: byteCount(value))
        case .failure(let error): .failed(error)
        }
    }
}
