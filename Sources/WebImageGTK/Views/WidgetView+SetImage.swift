import FoundationEssentials
import WebImage

extension WidgetView {
    /// Gets the end of a load, on the main thread and after the picture was set: exactly once for each call of
    /// ``setImage(with:placeholder:options:context:progress:completed:)``. A load that was replaced, or
    /// whose widget was destroyed, ends with ``WebImage/WebImageError/Code/cancelled``: not a failure to answer with another try,
    /// which would fight the load that came after it, and could not end on a widget that goes.
    public typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// Gets the bytes as they come, on any thread.
    public typealias ProgressHandler = @Sendable (LoadProgress) -> Void

    /// Loads a picture and shows it.
    ///
    /// A picture in memory is there when this call returns. Until another arrives, and when none does, the placeholder
    /// is shown.
    /// - Parameters:
    ///   - url: Where the picture is; nil ends at once with ``WebImageError/Code/invalidURL``.
    ///   - placeholder: Shown at once; nil clears the view. With ``WebImageOptions/delayPlaceholder`` what the view
    ///     shows stays, and the placeholder comes only if the load ends without a picture.
    ///   - options: With ``WebImageOptions/avoidAutoSetImage`` the picture is handed to `completed` and not shown.
    ///   - context: Settings of this load. Its `callbackQueue` is not used: views are called on the main thread.
    ///   - progress: Called while bytes come, on any thread.
    ///   - completed: Gets the end of the load.
    /// - Returns: The load under way; nil when it has ended already.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: (@Sendable (LoadProgress) -> Void)? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        Coordinator.of(widget).load(
            ViewLoadRequest(
                slot: slot, url: url, placeholder: placeholder, options: options, context: context, progress: progress,
                completed: completed))
    }

    /// Loads a picture and shows it, with a completion as trailing closure; all else as in the full form.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        setImage(
            with: url, placeholder: placeholder, options: options, context: context, progress: nil,
            completed: completed)
    }

    /// The URL of the latest ``setImage(with:placeholder:options:context:progress:completed:)``.
    public var currentImageURL: URL? { Coordinator.of(widget).url(of: slot) }

    /// Cancels the load under way, if there is one; its completion is called before this call returns.
    public func cancelCurrentImageLoad() { Coordinator.of(widget).cancel(slot) }
}
