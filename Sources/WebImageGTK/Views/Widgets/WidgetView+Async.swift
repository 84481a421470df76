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
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil
    ) async throws(WebImageError) -> LoadResult {
        try await result { completed in
            load(
                address, placeholder, transformer, transition, options, context, preview: preview,
                progress: progress, completed: completed)
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
