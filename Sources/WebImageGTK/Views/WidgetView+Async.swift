import FoundationEssentials
import WebImage

extension WidgetView {
    /// Loads a picture, shows it, and waits for it; otherwise as `setImage`. Cancelling the calling task cancels the
    /// load.
    ///
    /// ```swift
    /// let result = try await view.loadImage(with: url, options: .retryFailed)
    /// ```
    /// - Returns: The picture that is shown, and where it came from.
    /// - Throws: The error of the load; one with `isCancelled` when the task was cancelled, another load replaced this
    ///   one, or the widget was destroyed.
    @discardableResult
    public func loadImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil
    ) async throws(WebImageError) -> LoadResult {
        try await result { completed in
            setImage(
                with: url, placeholder: placeholder, options: options, context: context, progress: progress,
                completed: completed)
        }
    }

    /// Loads the picture from an address or a path as typed by a person, shows it, and waits for it; otherwise as with
    /// a URL.
    @discardableResult
    public func loadImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil
    ) async throws(WebImageError) -> LoadResult {
        try await result { completed in
            setImage(
                with: address, placeholder: placeholder, options: options, context: context, progress: progress,
                completed: completed)
        }
    }

    private func result(of start: (@escaping Completion) -> LoadOperation?) async throws(WebImageError) -> LoadResult {
        let cancellation = DeferredCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let operation = start({ continuation.resume(returning: $0) }) { cancellation.attach(operation) }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }
}
