import FoundationEssentials
import WebImageCore

// The events and actions of the state machine, for listeners.

extension LoadTrace {
    /// Notes the stages that `event` ends. Calls no listener; see ``flush()``.
    func add(_ event: LoadStateMachine.Event) {
        switch event {
        case .diskAnswered(let file):
            let outcome = file.map { LoadStageEvent.Outcome.done(byteCount: $0.entry.data.count) } ?? .missed
            add(endOf: .disk, outcome)
            add(endOf: .original, outcome)
        case .originalFound: add(endOf: .original, .done(byteCount: nil))
        case .loaded(let result):
            add(endOf: .load, result.traced { $0.data.count }, transfer: result.metrics)
        case .previewed(_, let byteCount): add(endOf: .load, .done(byteCount: byteCount))
        case .decoded(let result): add(endOf: .decode, result.traced { $0.image.memoryCost })
        case .transformed(let result): add(endOf: .transform, result.traced { $0.image.memoryCost })
        case .stored: add(endOf: .store, .done(byteCount: nil))
        // The stage has begun only for loads that joined before the answer.
        case .foundMeanwhile: add(endOf: .load, .missed)
        case .refused(let error): add(endOf: .load, .failed(error))
        case .started, .freshened, .cancelled: break
        }
    }
}

extension LoadStateMachine {
    /// The current stage, for listeners.
    var stage: LoadTrace.Stage? {
        switch state {
        case .queryingDisk(let file): file.stage
        case .readingData, .seekingResult: .disk
        case .readingCached: .original
        case .loading: .load
        case .decoding: .decode
        case .transforming: .transform
        case .storing: .store
        case .ready, .freshening, .ended: nil
        }
    }
}

extension LoadStateMachine.Action {
    /// The stage that begins with the action, for listeners.
    var stage: LoadTrace.Stage? {
        switch self {
        case .queryDisk(let file), .readFile(let file): file.stage
        case .decode: .decode
        case .transform: .transform
        case .store: .store
        // The load stage begins later, when nothing prevents it.
        case .nothing, .load, .removeFromDisk, .freshen, .tell, .end, .stop, .stopLoading, .both: nil
        }
    }
}

extension DiskFile {
    fileprivate var stage: LoadTrace.Stage { self == .result ? .disk : .original }
}
