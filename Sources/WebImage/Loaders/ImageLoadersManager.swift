import FoundationEssentials
import Synchronization

/// Loaders in ascending order of precedence: the last one registered that takes a URL loads it.
public final class ImageLoadersManager: ImageLoader {
    /// Takes `data:` and `file:` URLs, http and https, each by the loader of that name.
    public static let shared = ImageLoadersManager(loaders: [DataURLLoader(), FileLoader(), WebImageDownloader.shared])

    private let registered: Mutex<[any ImageLoader]>

    /// Loaders in ascending order of precedence.
    public init(loaders: [any ImageLoader]) {
        registered = Mutex(loaders)
    }

    /// The loaders in force, in ascending order of precedence.
    public var loaders: [any ImageLoader] { registered.withLock { $0 } }

    /// Puts `loader` before all others.
    public func add(_ loader: any ImageLoader) {
        registered.withLock { $0.append(loader) }
    }

    /// Whether any loader takes `url`.
    public func canLoad(_ url: URL) -> Bool { loader(for: url) != nil }

    /// Loads by the first loader that takes the URL; fails with ``WebImageError/Code/unsupportedScheme`` when none does.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any ImageLoadTask {
        guard let loader = loader(for: request.url) else {
            receive(.finished(.failure(.unsupportedScheme(request.url))))
            return EndedLoadTask()
        }
        return loader.load(request, receive: receive)
    }

    /// Asks the loader that takes `url`.
    public func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool {
        loader(for: url)?.shouldBlockFailedURL(url, error: error) ?? false
    }

    /// The first loader that takes `url`.
    func loader(for url: URL) -> (any ImageLoader)? { loaders.last { $0.canLoad(url) } }
}

/// The task of a load that ended before its task could be handed out.
package final class EndedLoadTask: ImageLoadTask {
    package init() {}
    package func cancel() {}
    package func setPriority(_ priority: LoadPriority) {}
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
