import FoundationEssentials
import Synchronization
import WebImageCore

/// One load's part of a transfer. Reports one event at a time and one ending, as loaders must.
final class SimulatedLoadTask: CancellableTask {
    private struct Ending {
        let result: Result<ImageLoadResponse, WebImageError>
        let answer: SimulatedRequest.Answer
    }

    private struct State {
        var isTelling = false
        var isCancelled = false
        var isEnded = false
        var toldByteCount = 0
        /// Waits until the current event has been reported.
        var ending: Ending?
        /// nil once the ending was reported.
        var receiver: Receiver?
    }

    private struct Receiver {
        let receive: @Sendable (ImageLoadEvent) -> Void
    }

    let request: ImageLoadRequest
    /// The request that it is for, if it is one of the simulation.
    let asked: SimulatedRequest?
    let address: Int
    private let schedule: any Schedule
    private let leave: @Sendable (SimulatedLoadTask) -> Void
    private let state: Mutex<State>

    init(
        _ request: ImageLoadRequest, _ schedule: any Schedule, _ receive: @escaping @Sendable (ImageLoadEvent) -> Void,
        leave: @escaping @Sendable (SimulatedLoadTask) -> Void
    ) {
        self.request = request
        self.schedule = schedule
        state = Mutex(State(receiver: Receiver(receive: receive)))
        self.leave = leave
        asked = request.context[SimulatedRequest.Key.self]
        address = SimulatedLoader.address(of: request.url)
    }

    /// Whether it was cancelled or has ended.
    var isOver: Bool { state.withLock { $0.isCancelled || $0.isEnded } }

    func setPriority(_ priority: LoadPriority) { asked?.note("is of priority \(priority)") }

    /// As loaders may: ends at once or later, or with the bytes, if those were complete already.
    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled && !state.isEnded
        }
        guard isFirst else { return }
        leave(self)
        let ending = { @Sendable in self.finish(.failure(.cancelled(url: self.request.url)), .failure(.cancelled)) }
        if schedule.chance(50) { return ending() }
        schedule.add(.anywhere, "a cancelled transfer of \(self.address) ends") { ending() }
    }

    /// All bytes so far.
    func tell(_ bytes: Data) {
        let news: Data? = state.withLock { state in
            guard !state.isEnded, !state.isCancelled, !state.isTelling else { return nil }
            state.isTelling = true
            defer { state.toldByteCount = bytes.count }
            return Data(bytes.dropFirst(state.toldByteCount))
        }
        guard let news else { return }
        let progress = LoadProgress(
            receivedByteCount: bytes.count, expectedByteCount: SimulatedPicture.byteCount)
        let receiver = state.withLock { $0.receiver }
        receiver?.receive(.progress(progress))
        if request.reportsData, !news.isEmpty, !isOver { receiver?.receive(.data(news)) }
        let ending = state.withLock { state in
            state.isTelling = false
            return state.ending.take()
        }
        if let ending { tell(ending) }
    }

    func finish(_ result: Result<ImageLoadResponse, WebImageError>, _ answer: SimulatedRequest.Answer) {
        let ending = Ending(result: result, answer: answer)
        let isFree = state.withLock { state in
            guard !state.isEnded else { return false }
            state.isEnded = true
            if state.isTelling { state.ending = ending }
            return !state.isTelling
        }
        if isFree { tell(ending) }
    }

    private func tell(_ ending: Ending) {
        asked?.loaderAnswered(ending.answer)
        state.withLock { $0.receiver.take() }?.receive(.finished(ending.result))
    }
}
