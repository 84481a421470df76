/// Stands around the loads of a manager: may rewrite what is asked for, answer by itself, try again, or measure.
///
/// What an options processor or a request modifier does for one load, an interceptor does for all: it changes the options,
/// or puts header fields, a credential or a modifier into the context.
///
/// Interceptors are asked in the order of ``WebImageManager/interceptors``, before anything else happens to a load; each
/// sees what those before it have made of the request.
///
/// ```swift
/// struct Thumbor: LoadInterceptor {
///     func intercept(_ request: ImageRequest) -> LoadInterception {
///         guard let size = request.context.imageThumbnailPixelSize else { return .proceed(request) }
///         var request = request
///         request.url = request.url?.resized(to: size)
///         return .proceed(request)
///     }
/// }
/// ```
public protocol LoadInterceptor: Sendable {
    /// What is to become of `request`. Called once for each load, also for one that another interceptor lets proceed, for
    /// explanations, and when somebody, a view for example, asks what memory has of it or by which key. On the caller's
    /// thread, so it must be quick: what takes time belongs into ``LoadInterception/around(_:)``.
    func intercept(_ request: ImageRequest) -> LoadInterception
}

/// What an interceptor does with a load.
public enum LoadInterception: Sendable {
    /// The load goes on, with this request.
    case proceed(ImageRequest)
    /// The load ends with this.
    case finish(Result<LoadResult, WebImageError>)
    /// The load ends as this function does, which may let the rest of the chain load as often as it likes, with whatever
    /// request. It runs in a task that is cancelled with the load, and fails the load with
    /// ``WebImageError/Code/timedOut`` when it does nothing for ``WebImageManager/interceptorTimeout``.
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

/// The rest of the way of a load that an interceptor has taken over.
public struct LoadChain: Sendable {
    /// What the interceptor was asked for.
    public let request: ImageRequest
    let load: @Sendable (ImageRequest) async -> Result<LoadResult, WebImageError>

    /// Loads by the interceptors that follow and then by the manager. Progress and partial pictures go straight to the
    /// caller of the load.
    ///
    /// - Parameter request: What to load; nil takes ``request``.
    /// - Throws: Why there is no picture.
    public func proceed(with request: ImageRequest? = nil) async throws(WebImageError) -> LoadResult {
        try await load(request ?? self.request).get()
    }
}
