import FoundationEssentials
import WebImageCore

/// Loads the bytes of pictures by an async closure of the app.
///
/// ```swift
/// let loader = ClosureImageLoader(scheme: "store") { request in
///     try await store.picture(named: request.url.lastPathComponent)
/// }
/// ImageLoadersManager.shared.add(loader)
/// ```
/// The closure runs in a task of its own for each load, with the load's priority; identical loads share one. Cancelling
/// the load cancels the task, and ends the load at once. How many run at a time is the closure's own affair. A loader that
/// reports progress or a server's response conforms to ``ImageLoader`` itself.
public final class ClosureImageLoader: ImageLoader {
    package typealias Load = @Sendable (_ request: ImageLoadRequest) async throws -> Data

    private let accepts: @Sendable (URL) -> Bool
    private let load: Load

    /// A loader of all URLs, for the context of a load, or of those that `canLoad` accepts.
    ///
    /// - Parameters:
    ///   - canLoad: See ``ImageLoader/canLoad(_:)``.
    ///   - load: Returns the file. A `WebImageError` ends the load as it is, a `CancellationError` as cancelled, and any
    ///     other error as ``WebImageError/Code/transferFailed``, which may be retried.
    public init(
        canLoad: @escaping @Sendable (URL) -> Bool = { _ in true },
        load: @escaping @Sendable (_ request: ImageLoadRequest) async throws -> Data
    ) {
        accepts = canLoad
        self.load = load
    }

    /// A loader of the URLs with `scheme`, such as `store:` for `store`.
    public convenience init(
        scheme: String, load: @escaping @Sendable (_ request: ImageLoadRequest) async throws -> Data
    ) {
        let scheme = scheme.lowercased()
        self.init(canLoad: { $0.scheme?.lowercased() == scheme }, load: load)
    }

    /// Whether the loader was made for `url`.
    public func canLoad(_ url: URL) -> Bool { accepts(url) }

    /// Runs the closure in a task.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        ClosureLoadTask(request, load: load, receive: receive)
    }
}
