import FoundationEssentials
import WebImageCore

/// A loader whose loads do nothing by themselves: the test advances, finishes and fails them.
///
/// ```swift
/// let loader = SuspendedLoader()
/// let manager = WebImageManager(loader: loader, …)
/// …start a load of url…
/// let load = try await loader.waitForLoad(of: url)
/// load.progress(100, of: 1000)
/// load.finish(jpeg)
/// ```
/// Safe to use from any thread.
public final class SuspendedLoader: ImageLoader {
    private let started = Observed<[SuspendedLoad]>([])
    private let schemes: Set<String>?
    private let endsLoadsWhenCancelled: Bool

    /// A loader that holds every load until the test ends it.
    ///
    /// - Parameters:
    ///   - schemes: The URL schemes that it accepts, in lower case; nil accepts every URL.
    ///   - endsLoadsWhenCancelled: Ends a load as soon as it is cancelled, as loaders should. Otherwise a cancelled
    ///     load goes on until the test ends it, like one whose bytes were already complete.
    public init(schemes: Set<String>? = nil, endsLoadsWhenCancelled: Bool = true) {
        self.schemes = schemes
        self.endsLoadsWhenCancelled = endsLoadsWhenCancelled
    }

    /// Every load so far, in the order of their start.
    public var loads: [SuspendedLoad] { started.value }

    /// The loads so far of `url`, in the order of their start.
    public func loads(of url: URL) -> [SuspendedLoad] { loads.filter { $0.request.url == url } }

    /// Returns once at least `count` loads have started.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    @discardableResult
    public func waitForLoads(_ count: Int) async throws(CancellationError) -> [SuspendedLoad] {
        try await started.wait { $0.count >= count }
    }

    /// Returns the first load of `url`, once there is one.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    public func waitForLoad(of url: URL) async throws(CancellationError) -> SuspendedLoad {
        while true {
            let loads = try await started.wait { $0.contains { $0.request.url == url } }
            if let load = loads.first(where: { $0.request.url == url }) { return load }
        }
    }

    /// Whether the URL's scheme is one of the loader's.
    public func canLoad(_ url: URL) -> Bool {
        guard let schemes else { return true }
        return schemes.contains(url.scheme?.lowercased() ?? "")
    }

    /// Records the request and starts nothing.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let load = SuspendedLoad(request, endsWhenCancelled: endsLoadsWhenCancelled, receive: receive)
        started.update { $0.append(load) }
        return SuspendedLoadTask(load)
    }
}
