import WebImage
import WebImageTesting

/// Keeps the stages that loads go through.
final class StageRecorder: LoadListener {
    private let heard = Observed<[LoadStageEvent]>([])

    var events: [LoadStageEvent] { heard.value }

    /// The stages in the order in which they began.
    var begun: [LoadStageEvent.Stage] {
        events.filter { if case .began = $0.phase { true } else { false } }.map(\.stage)
    }

    func receive(_ event: LoadStageEvent) { heard.update { $0.append(event) } }

    /// Returns once the whole of `count` loads is over.
    func waitForLoads(_ count: Int = 1) async throws {
        try await heard.wait { events in
            events.count { if case .ended = $0.phase { $0.stage == .whole } else { false } } >= count
        }
    }
}
