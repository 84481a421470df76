import WebImageCore

/// Changes the options and the context of every load of a manager: the first of its interceptors.
///
/// ```swift
/// struct RetryOnLocalNetwork: OptionsProcessor {
///     func process(_ request: ImageRequest) -> ImageRequest? {
///         guard request.url?.host()?.hasSuffix(".local") == true else { return nil }
///         var request = request
///         request.options.insert(.retryFailed)
///         return request
///     }
/// }
/// ```
public protocol OptionsProcessor: Sendable {
    /// Returns the request to load instead of `request`, which already has the manager's transformer, key filter and
    /// serializer; nil for no change. Called once for each load, on the caller's thread, before all other stages; also
    /// called for keys, explanations and queries of the memory.
    func process(_ request: ImageRequest) -> ImageRequest?
}

/// An options processor in the chain of interceptors.
struct OptionsProcessorInterceptor: LoadInterceptor {
    let processor: any OptionsProcessor

    func intercept(_ request: ImageRequest) -> LoadInterception {
        .proceed(processor.process(request) ?? request)
    }
}
