import Synchronization
import WebImageCache
import WebImageCore

/// Several caches used as one: for example a small one on a fast disk in front of a large one, or an app's own cache
/// beside the shared one.
///
/// ```swift
/// let manager = ImageCachesManager(caches: [ImageCache.shared, downloads])  // the last one is the highest
/// manager.storeOperationPolicy = .concurrent
/// WebImageManager.defaultImageCache = manager
/// ```
/// Each kind of operation has a policy that chooses the caches. A query's result from one cache is not written to the
/// others; a manager's load stores its picture by the policy for stores.
/// Every operation calls back, even where there is no cache, or no cache has the picture. Safe to use and to change
/// from any thread; a change applies to operations that begin after it.
public final class ImageCachesManager: ImageCaching {
    /// At first the shared cache alone.
    public static let shared = ImageCachesManager()

    struct Settings: Sendable {
        var caches: [any ImageCaching]
        var query = ImageCachesManagerOperationPolicy.serial
        var store = ImageCachesManagerOperationPolicy.highestOnly
        var remove = ImageCachesManagerOperationPolicy.concurrent
        var contains = ImageCachesManagerOperationPolicy.serial
        var clear = ImageCachesManagerOperationPolicy.concurrent
    }

    private let settings: Mutex<Settings>

    /// Caches in ascending order: the last one is the highest.
    public init(caches: [any ImageCaching] = [ImageCache.shared]) { settings = Mutex(Settings(caches: caches)) }

    /// The caches, the lowest first.
    public var caches: [any ImageCaching] {
        get { settings.withLock { $0.caches } }
        set { change { $0.caches = newValue } }
    }

    /// Puts a cache above all others.
    public func add(_ cache: any ImageCaching) { change { $0.caches.append(cache) } }

    /// Removes a cache from the list, each time it is in it.
    public func remove(_ cache: any ImageCaching & AnyObject) {
        change { $0.caches.removeAll { CollaboratorIdentity($0) == CollaboratorIdentity(cache) } }
    }

    /// How pictures are looked for. Default ``ImageCachesManagerOperationPolicy/serial``.
    public var queryOperationPolicy: ImageCachesManagerOperationPolicy {
        get { settings.withLock { $0.query } }
        set { change { $0.query = newValue } }
    }

    /// How pictures are stored. Default ``ImageCachesManagerOperationPolicy/highestOnly``.
    public var storeOperationPolicy: ImageCachesManagerOperationPolicy {
        get { settings.withLock { $0.store } }
        set { change { $0.store = newValue } }
    }

    /// How pictures are removed. Default ``ImageCachesManagerOperationPolicy/concurrent``.
    public var removeOperationPolicy: ImageCachesManagerOperationPolicy {
        get { settings.withLock { $0.remove } }
        set { change { $0.remove = newValue } }
    }

    /// How `contains` searches the caches. Default ``ImageCachesManagerOperationPolicy/serial``.
    public var containsOperationPolicy: ImageCachesManagerOperationPolicy {
        get { settings.withLock { $0.contains } }
        set { change { $0.contains = newValue } }
    }

    /// How caches are emptied. Default ``ImageCachesManagerOperationPolicy/concurrent``.
    public var clearOperationPolicy: ImageCachesManagerOperationPolicy {
        get { settings.withLock { $0.clear } }
        set { change { $0.clear = newValue } }
    }

    /// Removed caches are released outside the lock.
    private func change(_ change: (inout Settings) -> Void) {
        let before = settings.withLock { settings in
            let before = settings
            change(&settings)
            return before
        }
        withExtendedLifetime(before) {}
    }

    func caches(
        for policy: KeyPath<Settings, ImageCachesManagerOperationPolicy>
    ) -> (caches: [any ImageCaching], width: Int) {
        let settings = settings.withLock { $0 }
        let policy = settings[keyPath: policy]
        let caches = policy.chosen(from: settings.caches)
        return (caches, policy.width(of: caches.count))
    }
}
