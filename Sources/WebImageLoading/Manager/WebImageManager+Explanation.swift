import FoundationEssentials
import WebImageCore

extension WebImageManager {
    /// Explains what a load of `request` would do now, and why: for debugging, and for tests of an app's own settings.
    ///
    /// ```swift
    /// logger.debug("\(WebImageManager.shared.explain(request))")
    /// ```
    /// Calls the options processor, the interceptors and the delegate as a load does, and queries the memory cache. The
    /// behaviour of an interceptor that takes the load over is unknown. Uses neither the disk nor the network. Any
    /// thread.
    public func explain(_ request: ImageRequest) -> LoadExplanation { core.explain(request, settings: settings) }

    /// Explains a load of the picture at `url`; see ``explain(_:)``.
    package func explain(
        _ url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> LoadExplanation {
        explain(ImageRequest(url, options: options, context: context))
    }
}
