import WebImageCore

/// Intercepts the loads of a manager: it can change the request, answer it, retry, or measure.
///
/// An options processor or a request modifier affects one load; an interceptor affects all loads. It can change the
/// options, or add header fields, a credential or a modifier to the context.
///
/// Interceptors are called in the order of ``WebImageManager/interceptors``, before all other stages of a load; each
/// gets the request as changed by those before it.
///
/// ```swift
/// struct Thumbor: LoadInterceptor {
///     func intercept(_ request: ImageRequest) -> LoadInterception {
///         guard let size = request.context.thumbnailPixelSize else { return .proceed(request) }
///         var request = request
///         request.url = request.url?.resized(to: size)
///         return .proceed(request)
///     }
/// }
/// ```
public protocol LoadInterceptor: Sendable {
    /// Decides about `request`. Called once for each load, also for a load that another interceptor lets proceed, for
    /// explanations, and for queries of the memory or of the key. For a view's load once more where the view turns out to
    /// need another decode size. On the caller's thread, so it must be quick: longer work belongs into
    /// ``LoadInterception/around(_:)``.
    func intercept(_ request: ImageRequest) -> LoadInterception
}

/// The effect of an interceptor on a load.
public enum LoadInterception: Sendable {
    /// The load continues with this request.
    case proceed(ImageRequest)
    /// The load ends with this result.
    case finish(Result<LoadResult, WebImageError>)
    /// The load ends with the result of this function, which may run the rest of the chain any number of times, with
    /// any request. It runs in a task that is cancelled with the load. The load fails with
    /// ``WebImageError/Code/timedOut`` when the function is inactive for ``WebImageManager/interceptorTimeout``.
    ///
    /// ```swift
    /// .around { chain throws(WebImageError) in
    ///     do throws(WebImageError) { return try await chain.proceed() } catch {
    ///         guard error.kind == .transient else { throw error }
    ///         return try await chain.proceed()
    ///     }
    /// }
    /// ```
    case around(@Sendable (LoadChain) async throws(WebImageError) -> LoadResult)
}

/// The rest of the chain, for an interceptor that has taken a load over.
public struct LoadChain: Sendable {
    /// The request that the interceptor got.
    public let request: ImageRequest
    let load: @Sendable (ImageRequest) async -> Result<LoadResult, WebImageError>

    /// Loads with the interceptors that follow and then with the manager. Progress and partial pictures go directly to
    /// the caller of the load.
    ///
    /// - Parameter request: The request to load; nil for ``request``.
    /// - Throws: The reason why there is no picture.
    public func proceed(with request: ImageRequest? = nil) async throws(WebImageError) -> LoadResult {
        try await load(request ?? self.request).get()
    }
}
