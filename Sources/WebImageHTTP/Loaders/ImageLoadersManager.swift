import FoundationEssentials
import Synchronization
import WebImageCore

/// Loaders in ascending order of precedence: the last one registered that accepts a URL loads it.
public final class ImageLoadersManager: ImageLoader {
    /// Loads `data:`, `file:`, `http:` and `https:` URLs, with a loader for each kind.
    public static let shared = ImageLoadersManager(loaders: [DataURLLoader(), FileLoader(), WebImageDownloader.shared])

    private let registered: Mutex<[any ImageLoader]>

    /// Loaders in ascending order of precedence.
    public init(loaders: [any ImageLoader]) {
        registered = Mutex(loaders)
    }

    /// The current loaders, in ascending order of precedence. Loads that have begun keep theirs.
    public var loaders: [any ImageLoader] {
        get { registered.withLock { $0 } }
        set { registered.withLock { $0 = newValue } }
    }

    /// Adds `loader` with the highest precedence.
    public func add(_ loader: any ImageLoader) {
        registered.withLock { $0.append(loader) }
    }

    /// Whether any loader accepts `url`.
    public func canLoad(_ url: URL) -> Bool { loader(for: url) != nil }

    /// Loads with the first loader that accepts the URL; fails with ``WebImageError/Code/unsupportedScheme`` without
    /// one.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        guard let loader = loader(for: request.url) else {
            receive(.finished(.failure(.unsupportedScheme(request.url))))
            return EndedLoadTask()
        }
        return loader.load(request, receive: receive)
    }

    /// Asks the loader that accepts `url`.
    public func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool {
        loader(for: url)?.shouldBlockFailedURL(url, error: error) ?? false
    }

    /// That of the loader that accepts `url`.
    public func credential(for url: URL) -> DownloadCredential? { loader(for: url)?.credential(for: url) }

    /// That of the loader that accepts the URL.
    public func method(of request: ImageLoadRequest) -> String {
        loader(for: request.url)?.method(of: request) ?? request.method
    }

    /// The first loader that accepts `url`.
    package func loader(for url: URL) -> (any ImageLoader)? { loaders.last { $0.canLoad(url) } }
}

/// The task of a load that ended before its task could be returned.
package final class EndedLoadTask: CancellableTask {
    package init() {}
    package func cancel() {}
}

extension WebImageError {
    package static func unsupportedScheme(_ url: URL) -> WebImageError {
        WebImageError(
            .unsupportedScheme, stage: .request, kind: .permanent,
            reason: "no loader takes the scheme \"\(url.scheme ?? "")\"; use http, https, file or data, "
                + "or register a loader for it",
            url: url)
    }
}
