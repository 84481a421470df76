import FoundationEssentials
import WebImage

extension WidgetView {
    /// Gets the end of a load, on the main thread and after the picture was set: exactly once for each call of
    /// `setImage`.
    ///
    /// A load that was replaced, or whose widget was destroyed (even where `continueInBackground` lets it go on), ends
    /// with `WebImageError.Code.cancelled`. Do not retry after it: the retry would cancel the load that replaced this
    /// one, and would never end on a widget that is being destroyed.
    public typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// Shows a picture, or a placeholder, instead of the view.
    ///
    /// Its arguments: the picture, nil for nothing; the file that it was decoded from, where there is one; its source,
    /// `.noCache` for the network and for placeholders; and the requested URL.
    public typealias SetImage = (Image?, Data?, ImageCacheType, URL?) -> Void

    /// Gets the progress of a load on the main thread, shortly after bytes arrive: the latest one, where more have
    /// arrived since. Never called after the end of the load.
    public typealias ProgressHandler = (LoadProgress) -> Void

    /// Loads a picture, shows it, and calls back.
    ///
    /// ```swift
    /// view.setImage(with: avatar, placeholder: silhouette, transition: .fade) { result in
    ///     if case .failure(let error) = result { gtk_widget_set_tooltip_text(picture, "\(error)") }
    /// }
    /// ```
    /// A picture in memory shows before this call returns, unless it is to be decoded for a view without a size yet;
    /// see ``ImageSizing``. The placeholder shows until a picture arrives, and stays when none does.
    ///
    /// Loads with different keys (`WebImageContext.operationKey`) are independent.
    /// - Parameters:
    ///   - address: The picture's `URL`, or a `String` with an address or a path. nil, and what is neither, ends at once
    ///     with `WebImageError.Code.invalidURL`.
    ///   - placeholder: Shown at once; nil clears the view. With `WebImageOptions.delayPlaceholder` the view keeps its
    ///     content, and the placeholder shows only if the load ends without a picture.
    ///   - preview: A small picture that shows until the picture arrives, and stays when it does not; nil for that of the
    ///     context.
    ///   - transformer: Applied to the picture; nil for that of the context.
    ///   - transition: The transition to the picture; nil for ``imageTransition``.
    ///   - options: With `WebImageOptions.avoidAutoSetImage`, `completed` gets the picture and the view does not show
    ///     it.
    ///   - context: The context of the load; its `errorImage`, or else ``errorImage``, shows if it fails. Its `callbackQueue` is
    ///     ignored: views are called on the main thread.
    ///   - setImage: Shows the picture, and the placeholder before it, instead of the view.
    ///   - progress: Called on the main thread as bytes arrive.
    ///   - completed: Called at the end of the load.
    /// - Returns: The load, including one that waits for the view's size or for a scroller to slow down; nil when it
    ///   has already ended.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        load(
            address, placeholder, transformer, transition, options, context, preview: preview, setImage: setImage,
            progress: progress, completed: completed)
    }

    /// Loads a picture and shows it, without a completion; otherwise as the form with one. `setImage`, which shows the
    /// picture instead of the view, needs its label: a trailing closure is a completion.
    @_disfavoredOverload
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        load(
            address, placeholder, transformer, transition, options, context, preview: preview, setImage: setImage,
            progress: progress)
    }

    /// The load of all forms of `setImage`.
    func load(
        _ address: (any ImageAddress)?, _ placeholder: Image?, _ transformer: (any ImageTransformer)?,
        _ transition: WidgetTransition?, _ options: WebImageOptions, _ context: WebImageContext,
        preview: ImagePreview? = nil, setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        var context = context
        if let preview { context.preview = preview }
        if let transformer { context.transformer = transformer }
        let target = Target(address)
        let request = ViewLoadRequest<any WidgetView>(
            view: viewOfLoads, place: slot.key, url: target.url, placeholder: placeholder, transition: transition,
            options: options, context: context, progress: progress, completed: completed)
        request.refusal = target.refusal
        request.setImage = setImage
        return begin(request)
    }

    /// Begins a load of this place.
    func begin(_ request: ViewLoadRequest<any WidgetView>) -> LoadOperation? {
        MainThreadTime.measure {
            let coordinator = Coordinator.of(widget)
            coordinator.surface.setURL(request.url, of: self)
            return coordinator.loads.load(request)
        }
    }
}

/// The URL of an address.
private struct Target {
    var url: URL?
    /// Why there is none.
    var refusal: WebImageError?

    init(_ address: (any ImageAddress)?) {
        do throws(WebImageError) { url = try address?.imageURL } catch { refusal = error }
    }
}
