import Synchronization
import WebImage
import WebImageCommandLine

/// Reports loads on standard error: a waterfall for each as it ends, or each event as JSON.
final class TraceReport: LoadListener {
    private struct State {
        var events: [UInt64: [LoadStageEvent]] = [:]
        var start: ContinuousClock.Instant?
    }

    private let console: Console
    private let isJSON: Bool
    private let state = Mutex(State())

    /// The width where standard error is no terminal.
    private static let usualColumns = 80

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    func receive(_ event: LoadStageEvent) {
        if isJSON {
            console.printLineBesideOutput(JSON.line(TraceRecord(event, since: start(of: event))))
        } else if let events = note(event), let waterfall = Waterfall(events) {
            let lines = waterfall.lines(columns: console.errorColumns ?? Self.usualColumns)
            console.printLineBesideOutput(lines.joined(separator: "\n"))
        }
    }

    /// The start of the first load.
    private func start(of event: LoadStageEvent) -> ContinuousClock.Instant {
        state.withLock { state in
            let start = state.start ?? event.instant
            state.start = start
            return start
        }
    }

    /// All events of a load that has ended; nil while it runs.
    private func note(_ event: LoadStageEvent) -> [LoadStageEvent]? {
        state.withLock { state in
            state.events[event.load, default: []].append(event)
            guard event.stage == .whole, case .ended = event.phase else { return nil }
            return state.events.removeValue(forKey: event.load)
        }
    }
}
