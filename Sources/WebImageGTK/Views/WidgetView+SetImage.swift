import FoundationEssentials
import WebImage

extension WidgetView {
    /// Gets the end of a load, on the main thread and after the picture was set: exactly once for each call of
    /// ``setImage(with:placeholder:options:context:progress:completed:)``.
    ///
    /// A load that was replaced, or whose widget was destroyed (even where `continueInBackground` lets it go on), ends with
    /// `WebImageError.Code.cancelled`: not a failure to answer with another try, which would fight the load that came after
    /// it, and could not end on a widget that goes.
    public typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// Shows a picture, or a placeholder, in place of the view.
    ///
    /// Gets what is to be shown, nil for nothing; the file that it was decoded from, where there is one; where it came
    /// from, `.none` for the network and for placeholders; and the URL that was asked for.
    public typealias SetImage = (Image?, Data?, ImageCacheType, URL?) -> Void

    /// Gets the bytes as they come, on any thread.
    public typealias ProgressHandler = @Sendable (LoadProgress) -> Void

    /// Loads a picture and shows it.
    ///
    /// A picture in memory is there when this call returns, unless it is to be decoded for a view whose size is not known
    /// yet; see ``ImageSizing``. Until another arrives, and when none does, the placeholder is shown.
    /// - Parameters:
    ///   - url: Where the picture is; nil ends at once with `WebImageError.Code.invalidURL`.
    ///   - placeholder: Shown at once; nil clears the view. With `WebImageOptions.delayPlaceholder` what the view
    ///     shows stays, and the placeholder comes only if the load ends without a picture.
    ///   - options: With `WebImageOptions.avoidAutoSetImage` the picture is handed to `completed` and not shown.
    ///   - context: Settings of this load; `errorImage` is shown if it fails. The `callbackQueue` is not used: views are
    ///     called on the main thread.
    ///   - progress: Called while bytes come, on any thread.
    ///   - completed: Gets the end of the load.
    /// - Returns: The load, also one that waits for the view's size or for a scroller to slow down; nil when it has ended
    ///   already.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, progress, completed))
    }

    /// Loads a picture and shows it, with a completion as trailing closure; all else as in the full form.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, nil, completed))
    }

    /// Loads a picture and lets `setImage` show it, and its placeholder before it, in place of the view; all else as in
    /// the full form.
    ///
    /// Loads that have keys of their own (`WebImageContext.setImageOperationKey`) do not disturb each other.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(url, placeholder, options, context, progress, completed), setImage)
    }

    /// Loads a picture and lets `setImage` show it, with a completion as trailing closure; all else as in the full form.
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
    /// Loads the picture of an address or a path as a person writes it; see `URL.init(imageAddress:)`. Text that is
    /// neither ends at once with `WebImageError.Code.invalidURL`; all else as with a URL.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, progress, completed))
    }

    /// Loads the picture of an address, with a completion as trailing closure; all else as in the full form.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, nil, completed))
    }

    /// Loads the picture of an address and lets `setImage` show it; all else as with a URL.
    @discardableResult
    public func setImage(
        with address: String, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        load(request(address, placeholder, options, context, progress, completed), setImage)
    }

    /// Loads the picture of an address and lets `setImage` show it, with a completion as trailing closure; all else as with
    /// a URL.
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
