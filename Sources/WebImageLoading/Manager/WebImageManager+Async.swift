import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageHTTP

extension WebImageManager {
    /// Loads a picture. Cancelling the calling task cancels the load.
    ///
    /// - Parameter address: A `URL`, or a text that a person has written.
    /// - Throws: The reason why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func image(
        for address: any ImageAddress, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) async throws(WebImageError) -> Image {
        try await result(for: ImageRequest(address.imageURL, options: options, context: context)).image
    }

    /// Loads a picture. Cancelling the calling task cancels the load.
    ///
    /// - Throws: The reason why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func image(for request: ImageRequest) async throws(WebImageError) -> Image {
        try await result(for: request).image
    }

    /// Loads a picture with its origin. Cancelling the calling task cancels the load.
    ///
    /// - Parameter progress: Gets the progress as bytes arrive, on any thread.
    /// - Throws: The reason why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func result(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(WebImageError) -> LoadResult {
        try await result(for: ImageRequest(url, options: options, context: context), progress: progress)
    }

    /// Loads a picture with its origin. Cancelling the calling task cancels the load.
    ///
    /// With ``WebImageOptions/refreshCached`` the result is the cached picture when it cannot be refreshed, since there
    /// is only one result.
    /// - Parameter progress: Gets the progress as bytes arrive, on any thread.
    /// - Throws: The reason why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func result(
        for request: ImageRequest, progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(WebImageError) -> LoadResult {
        let cancellation = DeferredCancellation()
        var request = request
        request.context.preview = nil
        let result = await withTaskCancellationHandler { [request] in
            await withCheckedContinuation { continuation in
                let cached = CachedResult()
                cancellation.attach(
                    start(
                        request,
                        LoadCallbacks(
                            queue: .current, progress: progress, received: { cached.note($0) },
                            completed: { continuation.resume(returning: cached.orBetter($0)) })))
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Loads a picture and returns its events: the picture in the cache, the preview, progress, partial pictures, then the picture;
    /// failures are thrown. The load starts at once, and is cancelled when the sequence and its iterators are released.
    ///
    /// A listener that joins late gets the current state first, and then all that follows. A listener that is slower than
    /// the load misses progress and partial pictures, never the end.
    ///
    /// ```swift
    /// for try await event in manager.events(for: url, options: .progressiveLoad) {
    ///     switch event {
    ///     case .progress(let progress): bar.fraction = progress.fractionCompleted
    ///     case .partial(let image): show(image)
    ///     case .cached(let result), .preview(let result), .finished(let result): show(result.image)
    ///     }
    /// }
    /// ```
    public func events(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> some AsyncSequence<LoadEvent, WebImageError> & Sendable {
        events(for: ImageRequest(url, options: options, context: context))
    }

    /// Loads a picture and returns its events. The load starts at once, and is cancelled when the sequence and its
    /// iterators are released.
    public func events(for request: ImageRequest) -> some AsyncSequence<LoadEvent, WebImageError> & Sendable {
        let operation = start(request, LoadCallbacks(queue: .current))
        return LoadEvents(operation: operation, ownership: LoadOwnership(operation))
    }
}

/// The cached picture of a load that refreshes it.
private final class CachedResult: Sendable {
    private let result = Mutex<LoadResult?>(nil)

    func note(_ update: LoadEvent) {
        if case .cached(let cached) = update { result.withLock { $0 = cached } }
    }

    func orBetter(_ outcome: Result<LoadResult, WebImageError>) -> Result<LoadResult, WebImageError> {
        guard case .failure(let error) = outcome, !error.isCancelled, let cached = result.withLock({ $0 }) else {
            return outcome
        }
        return .success(cached)
    }
}
