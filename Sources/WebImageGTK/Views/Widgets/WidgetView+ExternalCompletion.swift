import FoundationEssentials
import WebImage

// The completion of SDWebImage, so that its calls mean here what they mean there.
extension WidgetView {
    /// SDWebImage's completion: gets the end of a load on the main thread, after the picture was set, exactly once for
    /// each call.
    ///
    /// Its arguments: the picture, nil when the load has failed; the error, nil when it has not; the source of the
    /// picture, `.noCache` for the network and for failures; and the requested URL. A load that was replaced, or whose
    /// widget was destroyed, ends with `WebImageError.Code.cancelled`, as in ``Completion``.
    public typealias ExternalCompletion = (Image?, WebImageError?, ImageCacheType, URL?) -> Void

    /// Loads a picture, shows it, and calls back as SDWebImage does; otherwise as the form whose completion gets a
    /// `Result`.
    ///
    /// ```swift
    /// view.setImage(with: avatar) { image, error, cacheType, url in
    ///     if let error { gtk_widget_set_tooltip_text(picture, "\(error)") }
    /// }
    /// ```
    /// - Parameter completed: Called at the end of the load. Partial pictures and the cached picture during a refresh do
    ///   not call it.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil,
        completed: @escaping ExternalCompletion
    ) -> LoadOperation? {
        load(
            address, placeholder, transformer, transition, options, context, preview: preview,
            progress: progress, completed: completion(calling: completed, of: address))
    }

    /// The completion of the load of `address` that calls one of SDWebImage's.
    func completion(
        calling completed: @escaping ExternalCompletion, of address: (any ImageAddress)?
    ) -> Completion {
        { result in
            switch result {
            case .success(let success): completed(success.image, nil, success.cacheType, success.url)
            // The error's address may be another one, where an interceptor or the server has replaced it.
            case .failure(let error): completed(nil, error, .noCache, try? address?.imageURL)
            }
        }
    }
}

extension HighlightableView {
    /// Loads the highlighted picture, and calls back as SDWebImage does.
    @discardableResult
    public func setHighlightedImage(
        with address: (any ImageAddress)?, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil,
        completed: @escaping ExternalCompletion
    ) -> LoadOperation? {
        highlightedView.load(
            address, nil, transformer, transition, options, context, progress: progress,
            completed: completion(calling: completed, of: address))
    }
}
