import FoundationEssentials
import Synchronization
import WebImage

/// Reads what is behind an address: all of a page or a list, and of a picture only as much as tells that it is one.
nonisolated final class WebDocument: Sendable {
    enum Contents: Sendable {
        case picture
        /// A page or a list, and its address after redirects.
        case document(Data, at: URL)
        /// The bytes that had come of it before the load failed.
        case part(Data, at: URL, SourceProblem)
    }

    typealias Outcome = Result<Contents, SourceProblem>
    /// Gets all that has come of a page or a list, and where it is.
    typealias Part = @Sendable (Data, URL) async -> Void

    private struct State {
        var data = Data()
        /// After redirects, as far as it is known.
        var place: URL?
        var byteCount = 0
        /// How much of it a part had.
        var shownCount = 0
        var isShowing = false
        var outcome: Outcome?
        var reader: CheckedContinuation<Outcome, Never>?
        var load: (any CancellableTask)?
    }

    private let url: URL
    private let part: Part
    private let state = Mutex(State())

    /// Enough for the kind of any file.
    static let headCount = 4096
    /// A part of the head that is shorter than this may be taken for another kind.
    private static let leastCount = 512

    private init(_ url: URL, _ part: @escaping Part) {
        self.url = url
        self.part = part
    }

    /// Ends as soon as the task is cancelled.
    ///
    /// - Parameter part: Called while more comes, one call after the other, with all that has come meanwhile.
    static func read(
        _ url: URL, by loader: any ImageLoader, part: @escaping Part = { _, _ in }
    ) async -> Outcome {
        let document = WebDocument(url, part)
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
        request.responseModifier = WebImageDownloaderResponseModifier { [self] response in
            state.withLock { $0.place = response.url }
            return response
        }
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
        case .finished(.failure(let error)): fail(SourceProblem(message: "\(error)"))
        case .finished(.success(let response)):
            let isPicture = SourceDocument(response.data) == .picture
            end(.success(isPicture ? .picture : .document(response.data, at: response.http?.url ?? url)))
        }
    }

    /// Ends the load of a picture, and of what is too large for everything else.
    private func note(_ data: Data) {
        let (head, byteCount) = state.withLock { state in
            if state.byteCount <= SourceDocument.byteLimit { state.data += data }
            state.byteCount += data.count
            return (state.data.prefix(Self.headCount), state.byteCount)
        }
        let kind = SourceDocument(head)
        guard byteCount >= Self.leastCount || kind == .page else { return }
        if kind == .picture {
            if byteCount - data.count < Self.headCount { end(.success(.picture)) }
        } else {
            showPart()
        }
        if byteCount > SourceDocument.byteLimit { end(.failure(SourceDocument.tooLarge(url.title))) }
    }

    /// While a part is being shown, more may come: that is shown next.
    private func showPart() {
        let next = state.withLock { state -> (Data, URL)? in
            guard !state.isShowing, state.outcome == nil, state.data.count > state.shownCount else { return nil }
            (state.isShowing, state.shownCount) = (true, state.data.count)
            return (state.data, state.place ?? url)
        }
        guard let (data, place) = next else { return }
        Task.detached { [self] in
            await part(data, place)
            state.withLock { $0.isShowing = false }
            showPart()
        }
    }

    /// Ends with a failure; the part of a page that has come stays.
    private func fail(_ problem: SourceProblem) {
        let (data, place) = state.withLock { ($0.data, $0.place ?? url) }
        let isDocument = !data.isEmpty && SourceDocument(data) != .picture
        end(isDocument ? .success(.part(data, at: place, problem)) : .failure(problem))
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
