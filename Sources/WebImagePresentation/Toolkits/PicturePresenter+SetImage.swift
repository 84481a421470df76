import FoundationEssentials
import WebImageCore
import WebImageHTTP
import WebImageLoading

extension PicturePresenter {
    /// Loads a picture, shows it, and calls back.
    ///
    /// A picture in memory shows before this call returns, unless it is to be decoded for a view without a size. The
    /// placeholder shows until a picture arrives, and stays when none does.
    ///
    /// - Parameters:
    ///   - address: A `URL`, or a `String` with an address or a path. nil, and what is neither, ends at once with
    ///     `WebImageError.Code.invalidURL`.
    ///   - placeholder: Shown at once; nil clears the view.
    ///   - preview: A small picture that shows until the picture arrives; nil for that of the context.
    ///   - transformer: Applied to the picture; nil for that of the context.
    ///   - transition: The transition to the picture; nil for ``imageTransition``.
    ///   - options: Those of the load, and those of views, such as `WebImageOptions.delayPlaceholder`.
    ///   - context: The context of the load. Its `callbackQueue` is ignored, and its `errorImage` goes before ``errorImage``.
    ///   - progress: Called on the main actor as bytes arrive, never after the end of the load.
    ///   - completed: Called on the main actor at the end of the load, exactly once, after the picture was set. A load that was
    ///     replaced, or whose presenter was released, ends with `WebImageError.Code.cancelled`.
    /// - Returns: The load, also one that waits for the size or the place of the view; nil when it has ended.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WebImageTransition<Surface>? = nil,
        options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: ((LoadProgress) -> Void)? = nil, completed: ((Result<LoadResult, WebImageError>) -> Void)?
    ) -> LoadOperation? {
        var context = context
        if let preview { context.preview = preview }
        if let transformer { context.transformer = transformer }
        var (url, refusal): (URL?, WebImageError?)
        do throws(WebImageError) { url = try address?.imageURL } catch { refusal = error }
        let request = ViewLoadRequest<SurfaceDisplay>(
            view: display, place: .image, url: url, placeholder: placeholder, transition: transition?.ofDisplay,
            options: options, context: context, progress: progress, completed: completed)
        request.refusal = refusal
        display.beginsLoad()
        return loads.load(request)
    }

    /// Loads a picture and shows it, without a completion; otherwise as the form with one.
    @_disfavoredOverload
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WebImageTransition<Surface>? = nil,
        options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: ((LoadProgress) -> Void)? = nil
    ) -> LoadOperation? {
        setImage(
            with: address, placeholder: placeholder, preview: preview, transformer: transformer,
            transition: transition, options: options, context: context, progress: progress, completed: nil)
    }

    /// The URL of the latest load, running or ended; nil when that had none.
    public var currentImageURL: URL? { loads.url(for: loads.latestKey) }

    /// Whether the latest load runs, or waits for the size or the place of the view.
    public var isLoading: Bool { loads.isLoading(loads.latestKey) }

    /// The common status of the view's loads: those with different keys (`WebImageContext.operationKey`) run side by side.
    public var status: ViewLoadStatus { loads.status }

    /// Cancels the latest load, if it runs. Its completion is called before this returns, and the placeholder stays.
    public func cancelCurrentImageLoad() { loads.cancel(loads.latestKey) }

    /// Plays the animation that is shown, as far as the view can be seen, also after its last play.
    public func startAnimating() { display.startAnimating() }

    /// Keeps the current frame until ``startAnimating()``.
    public func stopAnimating() { display.stopAnimating() }
}
