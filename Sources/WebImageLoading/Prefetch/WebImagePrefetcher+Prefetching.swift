import FoundationEssentials
import Synchronization
import WebImageCore

// Handlers have no default where a call returns a token. At the top level of a program, Swift prefers a function that is not
// async, also after `await`: a form without handlers would be called there in place of the async one, and nothing would
// wait. The completion beside progress has none either, so that a closure that stands alone behind a call is the completion.
extension WebImagePrefetcher {
    /// Prefetches pictures in order. Earlier calls continue.
    ///
    /// ```swift
    /// prefetcher.prefetch(requests, progress: { bar.show($0, of: $1) }, completed: { bar.end(skipped: $1) })
    /// ```
    /// - Parameters:
    ///   - requests: Each has its own options and context. A picture that is requested twice counts twice. Their
    ///     callback queues and ``WebImageOptions/lowPriority`` are ignored.
    ///   - progress: Gets the number of ended pictures and the total, after each picture and in order.
    ///   - completed: Gets the number of ended pictures and of those that were skipped because they failed or were
    ///     cancelled; called once, after all progress.
    /// - Returns: The token to cancel it. Without requests it has ended, and the completion is called at once.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest],
        progress: (@Sendable (_ finishedCount: Int, _ totalCount: Int) -> Void)?,
        completed: (@Sendable (_ finishedCount: Int, _ skippedCount: Int) -> Void)?
    ) -> PrefetchToken {
        start(requests, on: nil, progress, completed)
    }

    /// Prefetches pictures in order, without progress: `completed: nil` returns the token and waits for nothing.
    ///
    /// ```swift
    /// prefetcher.prefetch(requests) { finishedCount, skippedCount in bar.end(skipped: skippedCount) }
    /// ```
    /// - Parameter completed: Called once, with the number of ended pictures and of those that were skipped.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest], completed: (@Sendable (_ finishedCount: Int, _ skippedCount: Int) -> Void)?
    ) -> PrefetchToken {
        start(requests, on: nil, nil, completed)
    }

    /// Prefetches the pictures of addresses in order; otherwise as for requests.
    ///
    /// - Parameter context: Its callback queue, if set, replaces the prefetcher's.
    @discardableResult
    public func prefetch(
        _ urls: [URL], options: WebImageOptions = .lowPriority, context: WebImageContext = WebImageContext(),
        progress: (@Sendable (_ finishedCount: Int, _ totalCount: Int) -> Void)?,
        completed: (@Sendable (_ finishedCount: Int, _ skippedCount: Int) -> Void)?
    ) -> PrefetchToken {
        let requests = urls.map { ImageRequest($0, options: options, context: context) }
        return start(requests, on: context.callbackQueue, progress, completed)
    }

    /// Prefetches the pictures of addresses in order, without progress: `completed: nil` returns the token and waits for
    /// nothing.
    @discardableResult
    public func prefetch(
        _ urls: [URL], options: WebImageOptions = .lowPriority, context: WebImageContext = WebImageContext(),
        completed: (@Sendable (_ finishedCount: Int, _ skippedCount: Int) -> Void)?
    ) -> PrefetchToken {
        prefetch(urls, options: options, context: context, progress: nil, completed: completed)
    }

    /// Prefetches pictures, and returns when all have ended. Cancelling the calling task cancels the unfinished ones.
    ///
    /// To get a token instead of waiting, pass a handler, for instance `completed: nil`.
    @discardableResult
    public func prefetch(_ requests: [ImageRequest]) async -> PrefetchProgress {
        let token = start(requests, on: nil, nil, nil)
        return await withTaskCancellationHandler {
            await token.result
        } onCancel: {
            token.cancel()
        }
    }

    /// Prefetches the pictures of addresses, and returns when all have ended. Cancelling the calling task cancels the
    /// unfinished ones.
    ///
    /// To get a token instead of waiting, pass a handler, for instance `completed: nil`.
    @discardableResult
    public func prefetch(
        _ urls: [URL], options: WebImageOptions = .lowPriority, context: WebImageContext = WebImageContext()
    ) async -> PrefetchProgress {
        await prefetch(urls.map { ImageRequest($0, options: options, context: context) })
    }

    private func start(
        _ requests: [ImageRequest], on queue: CallbackQueue?, _ progress: PrefetchToken.Handler?,
        _ completed: PrefetchToken.Handler?
    ) -> PrefetchToken {
        let ownCallbacks = queue.map { OrderedCallbacks($0) }
        guard !requests.isEmpty else {
            return .ended(callbacks: ownCallbacks ?? state.withLock { $0.callbacks }, completed)
        }
        return add { batch, callbacks in
            PrefetchToken(
                batch, requests: requests, callbacks: ownCallbacks ?? callbacks, progress: progress,
                completed: completed, send: { [weak self] in self?.send($0) })
        }
    }
}
