import FoundationEssentials

extension WebImageManager {
    /// Loads a picture. Cancelling the calling task cancels the load.
    ///
    /// - Throws: Why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func image(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) async throws(WebImageError) -> Image {
        try await result(for: url, options: options, context: context).image
    }

    /// Loads a picture and tells where it came from. Cancelling the calling task cancels the load.
    ///
    /// - Parameter progress: Gets the bytes as they come, on any thread.
    /// - Throws: Why there is no picture; ``WebImageError/isCancelled`` when the task was cancelled.
    public func result(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(WebImageError) -> LoadResult {
        let cancellation = DeferredCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                cancellation.attach(
                    load(url, options: options, context: context.callingBackInline, progress: progress) {
                        continuation.resume(returning: $0)
                    })
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Loads a picture and tells how it goes. The load starts at once, and ends when nobody iterates any more.
    ///
    /// ```swift
    /// for try await event in manager.events(for: url) {
    ///     switch event {
    ///     case .progress(let progress): bar.fraction = progress.fractionCompleted
    ///     case .finished(let result): show(result.image)
    ///     }
    /// }
    /// ```
    public func events(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> LoadEvents {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LoadEvents.Message.self, bufferingPolicy: .bufferingNewest(LoadEvents.bufferedCount))
        let operation = load(
            url, options: options, context: context.callingBackInline,
            progress: { continuation.yield(.success(.progress($0))) },
            completed: { result in
                continuation.yield(result.map(LoadEvent.finished))
                continuation.finish()
            })
        continuation.onTermination = { _ in operation.cancel() }
        return LoadEvents(stream: stream)
    }
}

/// The events of one load, for one listener: progress, then the picture. Failures are thrown.
public struct LoadEvents: AsyncSequence, Sendable {
    typealias Message = Result<LoadEvent, WebImageError>
    /// A listener that is slower than the network misses progress, never the end: the newest are kept.
    static let bufferedCount = 16

    let stream: AsyncStream<Message>

    /// Starts listening.
    public func makeAsyncIterator() -> Iterator { Iterator(messages: stream.makeAsyncIterator()) }

    /// Gives one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var messages: AsyncStream<Message>.Iterator

        /// The next event; nil after the last.
        public mutating func next() async throws(WebImageError) -> LoadEvent? {
            try await next(isolation: nil)
        }

        /// The next event; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WebImageError) -> LoadEvent? {
            try await messages.next(isolation: actor)?.get()
        }
    }
}

extension WebImageContext {
    /// An awaiting task resumes where it belongs by itself: another hop would only cost.
    fileprivate var callingBackInline: WebImageContext {
        var copy = self
        copy.callbackQueue = .current
        return copy
    }
}
