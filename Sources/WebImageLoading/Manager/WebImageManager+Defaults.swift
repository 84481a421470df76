import Synchronization
import WebImageCache
import WebImageCore
import WebImageHTTP

extension WebImageManager {
    private static let defaults = Mutex<(cache: (any ImageCaching)?, loader: (any ImageLoader)?)>((nil, nil))

    /// The cache of managers that are created without one, ``shared`` among them; ``ImageCache/shared`` by default. A
    /// change does not affect existing managers.
    public static var defaultImageCache: any ImageCaching {
        get { defaults.withLock { $0.cache } ?? ImageCache.shared }
        set { _ = defaults.withLock { exchange(&$0.cache, newValue) } }
    }

    /// The loader of managers that are created without one, ``shared`` among them; ``ImageLoadersManager/shared`` by
    /// default. A change does not affect existing managers.
    public static var defaultImageLoader: any ImageLoader {
        get { defaults.withLock { $0.loader } ?? ImageLoadersManager.shared }
        set { _ = defaults.withLock { exchange(&$0.loader, newValue) } }
    }

    /// The old value is released outside the lock.
    private static func exchange<Value>(_ place: inout Value, _ value: Value) -> Value {
        defer { place = value }
        return place
    }
}
