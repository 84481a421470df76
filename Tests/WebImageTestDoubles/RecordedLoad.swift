import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageTesting

/// Records all events of a load, for tests to wait for and to count.
final class RecordedLoad: Sendable {
    private let told = Observed<[ImageLoadEvent]>([])
    private let started = Mutex<(any CancellableTask)?>(nil)
    private let loader: (any ImageLoader)?

    /// Starts loading at once, and retains the loader by default. `onEvent` is called like the receiver, on the
    /// loader's thread.
    init(
        _ request: ImageLoadRequest, by loader: some ImageLoader, keepsLoader: Bool = true,
        onEvent: @escaping @Sendable (ImageLoadEvent) -> Void = { _ in }
    ) {
        self.loader = keepsLoader ? loader : nil
        let task = loader.load(request) { [self] event in
            onEvent(event)
            told.update { $0.append(event) }
        }
        started.withLock { $0 = task }
    }

    convenience init(_ url: URL, by loader: some ImageLoader) {
        self.init(ImageLoadRequest(url: url), by: loader)
    }

    func cancel() { started.withLock { $0 }?.cancel() }

    func setPriority(_ priority: LoadPriority) { started.withLock { $0 }?.setPriority(priority) }

    var events: [ImageLoadEvent] { told.value }

    var progress: [LoadProgress] {
        events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    /// The bytes that were reported as they arrived.
    var reportedData: Data {
        events.reduce(into: Data()) { bytes, event in
            if case .data(let data) = event { bytes += data }
        }
    }

    var endings: [Result<ImageLoadResponse, WebImageError>] {
        events.compactMap { if case .finished(let result) = $0 { result } else { nil } }
    }

    /// Whether the load has ended once, with no event after that.
    var hasEndedOnce: Bool {
        guard case .finished = events.last else { return false }
        return endings.count == 1
    }

    /// The response, once the load has ended.
    var response: ImageLoadResponse {
        get async throws { try await result.get() }
    }

    /// The error, once the load has ended; nil for a success.
    var error: WebImageError? {
        get async { if case .failure(let error) = await result { error } else { nil } }
    }

    /// Returns when a report of progress satisfies `condition`, or the load has ended.
    func waitForProgress(_ condition: @Sendable (LoadProgress) -> Bool) async {
        await wait { events in
            events.contains { event in
                switch event {
                case .progress(let progress): condition(progress)
                case .data: false
                case .finished: true
                }
            }
        }
    }

    private var result: Result<ImageLoadResponse, WebImageError> {
        get async {
            await wait { $0.contains { if case .finished = $0 { true } else { false } } }
            // The time of a test may be over before.
            return endings.first ?? .failure(.cancelled())
        }
    }

    private func wait(until condition: @Sendable ([ImageLoadEvent]) -> Bool) async {
        _ = try? await told.wait(until: condition)
    }
}

extension [RecordedLoad] {
    var allHaveEndedOnce: Bool { allSatisfy { $0.hasEndedOnce } }
}
