import WebImageCore
import WebImageTesting

/// Records a load's stages as words: `+load` for a beginning, `~load` for its first byte, `-load done`, `-load missed`
/// or `-load 2002` for an end.
final class TraceRecorder: LoadListener {
    private let received = Observed<[LoadStageEvent]>([])

    var events: [LoadStageEvent] { received.value }
    var words: [String] { events.map(Self.word) }

    /// The stages in the order in which they began.
    var begun: [LoadStageEvent.Stage] {
        events.filter { if case .began = $0.phase { true } else { false } }.map(\.stage)
    }

    /// The words of the load that began as the `number`th, counting from 0.
    func words(ofLoad number: Int) -> [String] {
        let loads = events.filter { $0.stage == .whole && !$0.hasEnded }.map(\.load)
        guard loads.indices.contains(number) else { return [] }
        return events.filter { $0.load == loads[number] }.map(Self.word)
    }

    func receive(_ event: LoadStageEvent) { received.update { $0.append(event) } }

    /// Returns once `count` loads have ended.
    func waitForEnd(of count: Int = 1) async throws(CancellationError) {
        try await received.wait { events in events.count { $0.stage == .whole && $0.hasEnded } >= count }
    }

    /// Returns once `stage` has begun.
    func wait(for stage: LoadStageEvent.Stage) async throws(CancellationError) {
        try await wait { $0.stage == stage }
    }

    /// Returns once `word` was recorded `count` times.
    func wait(for word: String, count: Int) async throws(CancellationError) {
        try await received.wait { events in events.count { Self.word($0) == word } >= count }
    }

    /// Returns once there is such an event.
    func wait(until isAwaited: @Sendable (LoadStageEvent) -> Bool) async throws(CancellationError) {
        try await received.wait { $0.contains(where: isAwaited) }
    }

    /// The errors in the events of all loads; empty when each stage that begins ends once and within its load.
    var faults: [String] {
        Dictionary(grouping: events, by: \.load).values.flatMap { events in
            let words = events.map(Self.word)
            var open: [LoadStageEvent.Stage] = []
            var faults: [String] = []
            for (event, word) in zip(events, words) {
                let isOpen = open.contains(event.stage)
                switch event.phase {
                case .began where isOpen: faults.append("\(word) twice")
                case .began: open.append(event.stage)
                case .firstByte where !isOpen, .ended where !isOpen: faults.append("\(word) out of place")
                case .firstByte: break
                case .ended: open.removeAll { $0 == event.stage }
                }
            }
            if words.first != "+whole" || events.last?.stage != .whole {
                faults.append("not within the whole: \(words)")
            }
            if zip(events, events.dropFirst()).contains(where: { $0.instant > $1.instant }) { faults.append("time") }
            return faults + open.map { "\($0) goes on: \(words)" }
        }
    }

    private static func word(_ event: LoadStageEvent) -> String {
        switch event.phase {
        case .began: "+\(event.stage)"
        case .firstByte: "~\(event.stage)"
        case .ended(.done, _): "-\(event.stage) done"
        case .ended(.missed, _): "-\(event.stage) missed"
        case .ended(.failed(let error), _): "-\(event.stage) \(error.code.rawValue)"
        }
    }
}

extension LoadStageEvent {
    var hasEnded: Bool {
        if case .ended = phase { return true }
        return false
    }
}
