import FoundationEssentials

extension WebImageManager {
    /// What a load of `request` would do now, and why: for debugging, and for tests of an app's own settings.
    ///
    /// ```swift
    /// logger.debug("\(WebImageManager.shared.explain(request))")
    /// ```
    /// Asks the options processor, the interceptors and the delegate as a load does, and the memory cache; what an
    /// interceptor would do that takes the load over is not known. Touches neither the disk nor the network. Any thread.
    public func explain(_ request: ImageRequest) -> LoadExplanation { core.explain(request, settings: settings) }

    /// What a load of the picture at `url` would do now, and why; see ``explain(_:)``.
    public func explain(
        _ url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> LoadExplanation {
        explain(ImageRequest(url, options: options, context: context))
    }
}
