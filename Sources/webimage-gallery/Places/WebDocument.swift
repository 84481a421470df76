import FoundationEssentials
import Synchronization
import WebImage

/// Reads what is behind an address: all of a page or a list, and of a picture only as much as tells that it is one.
nonisolated final class WebDocument: Sendable {
    enum Contents: Sendable {
        case picture
        /// A page or a list, and its address after redirects.
        case document(Data, at: URL)
    }

    typealias Outcome = Result<Contents, SourceProblem>

    private struct State {
        var head = Data()
        var byteCount = 0
        var outcome: Outcome?
        var reader: CheckedContinuation<Outcome, Never>?
        var load: (any CancellableTask)?
    }

    private let url: URL
    private let state = Mutex(State())

    /// Enough for the kind of any file.
    static let headCount = 4096
    /// A part of the head that is shorter than this may be taken for another kind.
    private static let leastCount = 512

    private init(_ url: URL) { self.url = url }

    /// Ends as soon as the task is cancelled.
    static func read(_ url: URL, by loader: any ImageLoader) async -> Outcome {
        let document = WebDocument(url)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { document.start($0, loader) }
        } onCancel: {
            document.end(.failure(SourceProblem(message: "\(url.title): the reading was cancelled")))
        }
    }

    private func start(_ reader: CheckedContinuation<Outcome, Never>, _ loader: any ImageLoader) {
        let early = state.withLock { state in
            state.reader = state.outcome == nil ? reader : nil
            return state.outcome
        }
        if let early { return reader.resume(returning: early) }
        var request = ImageLoadRequest(url: url)
        request.reportsData = true
        let load = loader.load(request) { [self] in receive($0) }
        let isOver = state.withLock { state in
            state.load = load
            return state.outcome != nil
        }
        if isOver { load.cancel() }
    }

    private func receive(_ event: ImageLoadEvent) {
        switch event {
        case .progress: break
        case .data(let data): note(data)
        case .finished(.failure(let error)): end(.failure(SourceProblem(message: "\(error)")))
        case .finished(.success(let response)):
            let isPicture = SourceDocument(response.data) == .picture
            end(.success(isPicture ? .picture : .document(response.data, at: response.http?.url ?? url)))
        }
    }

    /// Ends the load of a picture, and of what is too large for everything else.
    private func note(_ data: Data) {
        let (head, byteCount) = state.withLock { state in
            state.head += data.prefix(Self.headCount - state.head.count)
            state.byteCount += data.count
            return (state.head, state.byteCount)
        }
        guard byteCount >= Self.leastCount else { return }
        if byteCount - data.count < Self.headCount, SourceDocument(head) == .picture { end(.success(.picture)) }
        if byteCount > SourceDocument.byteLimit { end(.failure(SourceDocument.tooLarge(url.title))) }
    }

    /// The first call counts.
    private func end(_ outcome: Outcome) {
        let (reader, load) = state.withLock { state -> (CheckedContinuation<Outcome, Never>?, (any CancellableTask)?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer { (state.reader, state.load) = (nil, nil) }
            return (state.reader, state.load)
        }
        load?.cancel()
        reader?.resume(returning: outcome)
    }
}
