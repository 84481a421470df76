import FoundationEssentials
import WebImageCore

/// A load that advances only when the test says so. See ``SuspendedLoader``.
public final class SuspendedLoad: Sendable {
    struct State: Sendable {
        var isCancelled = false
        var isEnded = false
        var priorities: [LoadPriority] = []
    }

    /// The request.
    public let request: ImageLoadRequest

    private let receive: @Sendable (ImageLoadEvent) -> Void
    private let endsWhenCancelled: Bool
    private let state = Observed(State())

    init(
        _ request: ImageLoadRequest, endsWhenCancelled: Bool, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) {
        self.request = request
        self.endsWhenCancelled = endsWhenCancelled
        self.receive = receive
    }

    /// Whether the load was cancelled, before or after the end.
    public var isCancelled: Bool { state.value.isCancelled }

    /// Whether the ending was delivered.
    package var isEnded: Bool { state.value.isEnded }

    /// The current priority.
    public var priority: LoadPriority { priorities.last ?? request.priority }
    /// The priorities that were set since the beginning, in order.
    package var priorities: [LoadPriority] { state.value.priorities }

    // MARK: What the loading side does

    /// Records the cancellation, and ends the load unless the loader was told not to.
    package func cancel() {
        state.update { $0.isCancelled = true }
        if endsWhenCancelled { end(.failure(.cancelled(url: request.url))) }
    }

    /// Records the priority.
    package func setPriority(_ priority: LoadPriority) { state.update { $0.priorities.append(priority) } }

    // MARK: What the test does

    /// Reports progress, on the calling thread; no effect after the end.
    public func progress(_ receivedByteCount: Int, of expectedByteCount: Int? = nil) {
        guard !isEnded else { return }
        receive(.progress(LoadProgress(receivedByteCount: receivedByteCount, expectedByteCount: expectedByteCount)))
    }

    /// Delivers the next bytes of the body, as loaders do where ``ImageLoadRequest/reportsData`` asks for them, on the
    /// calling thread; no effect after the end.
    public func send(_ bytes: Data) {
        guard !isEnded else { return }
        receive(.data(bytes))
    }

    /// Ends the load with `data`, on the calling thread; no effect after the end.
    public func finish(_ data: Data, http: HTTPResponse? = nil) {
        end(.success(ImageLoadResponse(data: data, http: http)))
    }

    /// Ends the load with `error`, on the calling thread; no effect after the end.
    public func fail(_ error: WebImageError) { end(.failure(error)) }

    /// Returns once the load was cancelled.
    ///
    /// - Throws: `CancellationError` when the waiting task itself is cancelled, as a test's time limit does.
    public func waitForCancellation() async throws(CancellationError) {
        try await state.wait { $0.isCancelled }
    }

    /// Returns once `priority` is the latest one that was set after the start. A change made before `load` has returned
    /// on another thread arrives after it.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    public func waitForPriority(_ priority: LoadPriority) async throws(CancellationError) {
        try await state.wait { $0.priorities.last == priority }
    }

    private func end(_ result: Result<ImageLoadResponse, WebImageError>) {
        let isFirst = state.update { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        if isFirst { receive(.finished(result)) }
    }
}

/// The task that a caller of the loader gets for a suspended load.
final class SuspendedLoadTask: CancellableTask {
    private let load: SuspendedLoad

    init(_ load: SuspendedLoad) { self.load = load }

    func cancel() { load.cancel() }

    func setPriority(_ priority: LoadPriority) { load.setPriority(priority) }
}
