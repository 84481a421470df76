import WebImage

extension WidgetView {
    /// The picture shown when a load for this place fails; nil, the default, leaves the placeholder. A context's own
    /// `errorImage` takes precedence. A change applies to later loads.
    ///
    /// ```swift
    /// PictureView(picture).errorImage = Image(iconNamed: "image-missing-symbolic", size: 48, for: picture)
    /// ```
    /// Each place of a widget has its own.
    public var errorImage: Image? {
        get { loads.errorImages[slot.key] }
        nonmutating set { loads.errorImages[slot.key] = newValue }
    }

    /// Loads the picture of the latest load for this place again: from the same address, with its placeholder, transition,
    /// options and context, but not with its closures.
    ///
    /// ```swift
    /// view.reload(options: .retryFailed)
    /// view.reload(options: .refreshCached)
    /// ```
    /// - Parameters:
    ///   - options: Options for this time alone, besides those of the latest load.
    ///   - setImage: Shows the picture, and the placeholder before it, instead of the view.
    ///   - progress: Called on the main thread as bytes arrive.
    ///   - completed: Called at the end of the load; at once with `WebImageError.Code.invalidURL` where nothing has been
    ///     loaded yet, which changes nothing in the view.
    /// - Returns: As `setImage`.
    @discardableResult
    public func reload(
        options: WebImageOptions = [], setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        guard let former = loads.formerLoad(at: slot.key) else {
            completed?(.failure(.noURL))
            return nil
        }
        let request = former.request(
            for: viewOfLoads, at: slot.key, adding: options, progress: progress, completed: completed)
        request.setImage = setImage
        return begin(request)
    }

    /// The same without a completion.
    @_disfavoredOverload
    @discardableResult
    public func reload(
        options: WebImageOptions = [], setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        reload(options: options, setImage: setImage, progress: progress, completed: nil)
    }
}
