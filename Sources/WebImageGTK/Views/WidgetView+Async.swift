import FoundationEssentials
import WebImage

extension WidgetView {
    /// Loads a picture, shows it, and waits until it is there; all else as with `setImage`. Cancelling the calling task
    /// cancels the load.
    ///
    /// ```swift
    /// let result = try await view.loadImage(with: url, options: .retryFailed)
    /// ```
    /// - Returns: The picture that is shown, and where it came from.
    /// - Throws: Why there is none; an error with `isCancelled` when the task was cancelled, when another load took the place
    ///   of this one, and when the widget was destroyed.
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

    /// Loads the picture of an address or a path as a person writes it, shows it, and waits until it is there; all else as
    /// with a URL.
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
