import FoundationEssentials
import Synchronization
import WebImage

/// Records all events of a load, for tests to wait for and to count.
final class RecordedLoad: Sendable {
    private struct State {
        var events: [ImageLoadEvent] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let started = Mutex<(any ImageLoadTask)?>(nil)
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
            record(event)
        }
        started.withLock { $0 = task }
    }

    convenience init(_ url: URL, by loader: some ImageLoader) {
        self.init(ImageLoadRequest(url: url), by: loader)
    }

    func cancel() { started.withLock { $0 }?.cancel() }

    func setPriority(_ priority: LoadPriority) { started.withLock { $0 }?.setPriority(priority) }

    var events: [ImageLoadEvent] { state.withLock { $0.events } }

    var progress: [LoadProgress] {
        events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
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
    func waitForProgress(_ condition: (LoadProgress) -> Bool) async {
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
            return endings[0]
        }
    }

    private func wait(until condition: ([ImageLoadEvent]) -> Bool) async {
        while true {
            let seen = events
            if condition(seen) { return }
            await nextEvent(after: seen.count)
        }
    }

    private func nextEvent(after count: Int) async {
        await withCheckedContinuation { continuation in
            let isStale = state.withLock { state in
                guard state.events.count == count else { return true }
                state.watchers.append(continuation)
                return false
            }
            if isStale { continuation.resume() }
        }
    }

    private func record(_ event: ImageLoadEvent) {
        let watchers = state.withLock { state in
            state.events.append(event)
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }
}

extension [RecordedLoad] {
    var allHaveEndedOnce: Bool { allSatisfy { $0.hasEndedOnce } }
}
