import FoundationEssentials
import WebImage

extension WidgetView {
    /// Gets the end of a load, on the main thread and after the picture was set: exactly once for each call of
    /// ``setImage(with:placeholder:options:context:progress:completed:)``.
    ///
    /// A load that was replaced, or whose widget was destroyed (even where `continueInBackground` lets it go on), ends
    /// with `WebImageError.Code.cancelled`. Do not retry after it: the retry would cancel the load that replaced this
    /// one, and would never end on a widget that is being destroyed.
    public typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// Shows a picture, or a placeholder, instead of the view.
    ///
    /// Its arguments: the picture, nil for nothing; the file that it was decoded from, where there is one; its source,
    /// `.none` for the network and for placeholders; and the requested URL.
    public typealias SetImage = (Image?, Data?, ImageCacheType, URL?) -> Void

    /// Gets the progress of a load on the main thread, shortly after bytes arrive: the latest one, where more have
    /// arrived since. Never called after the end of the load.
    public typealias ProgressHandler = (LoadProgress) -> Void

    /// Loads a picture and shows it.
    ///
    /// A picture in memory shows before this call returns, unless it is to be decoded for a view without a size yet;
    /// see ``ImageSizing``. The placeholder shows until a picture arrives, and stays when none does.
    /// - Parameters:
    ///   - url: The picture's URL; nil ends at once with `WebImageError.Code.invalidURL`.
    ///   - placeholder: Shown at once; nil clears the view. With `WebImageOptions.delayPlaceholder` the view keeps its
    ///     content, and the placeholder shows only if the load ends without a picture.
    ///   - options: With `WebImageOptions.avoidAutoSetImage`, `completed` gets the picture and the view does not show
    ///     it.
    ///   - context: The context of the load; its `errorImage` shows if it fails. Its `callbackQueue` is ignored: views
    ///     are called on the main thread.
    ///   - progress: Called on the main thread as bytes arrive.
    ///   - completed: Called at the end of the load.
    /// - Returns: The load, including one that waits for the view's size or for a scroller to slow down; nil when it
    ///   has already ended.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, progress, completed))
    }

    /// Loads a picture and shows it, with a completion as trailing closure; otherwise as the full form.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, nil, completed))
    }

    /// Loads a picture; `setImage` shows it, and its placeholder before it, instead of the view; otherwise as the full
    /// form.
    ///
    /// Loads with different keys (`WebImageContext.setImageOperationKey`) are independent.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, progress, completed), setImage)
    }

    /// Loads a picture; `setImage` shows it. The completion is the trailing closure; otherwise as the full form.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, nil, completed), setImage)
    }

    private typealias Request = ViewLoadRequest<any WidgetView>

    private func request(
        _ url: URL?, _ placeholder: Image?, _ options: WebImageOptions, _ context: WebImageContext,
        _ progress: ProgressHandler?, _ completed: Completion?
    ) -> Request {
        Request(
            view: viewOfLoads, place: slot.key, url: url, placeholder: placeholder, options: options, context: context,
            progress: progress, completed: completed)
    }

    private func load(_ request: Request, _ setImage: SetImage? = nil) -> LoadOperation? {
        request.setImage = setImage
        return MainThreadTime.measure {
            let coordinator = Coordinator.of(widget)
            coordinator.surface.setURL(request.url, of: self)
            return coordinator.loads.load(request)
        }
    }
}

// MARK: - Text

extension WidgetView {
    /// Loads the picture from an address or a path as typed by a person; see `URL.init(imageAddress:)`. Other text ends
    /// at once with `WebImageError.Code.invalidURL`; otherwise as with a URL.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, progress, completed))
    }

    /// Loads the picture from an address, with a completion as trailing closure; otherwise as the full form.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, nil, completed))
    }

    /// Loads the picture from an address; `setImage` shows it. Otherwise as with a URL.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, progress, completed), setImage)
    }

    /// Loads the picture from an address; `setImage` shows it. The completion is the trailing closure; otherwise as
    /// with a URL.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, nil, completed), setImage)
    }

    private func request(
        _ address: String, _ placeholder: Image?, _ options: WebImageOptions, _ context: WebImageContext,
        _ progress: ProgressHandler?, _ completed: Completion?
    ) -> Request {
        do throws(WebImageError) {
            return request(try URL(imageAddress: address), placeholder, options, context, progress, completed)
        } catch {
            let request = request(nil, placeholder, options, context, progress, completed)
            request.refusal = error
            return request
        }
    }
}
