import Synchronization

extension WebImageDownloaderConfig {
    /// The settings of downloaders that are created without any, ``WebImageDownloader/shared`` among them; a change
    /// does not affect existing downloaders. Any thread.
    public static var `default`: WebImageDownloaderConfig {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(WebImageDownloaderConfig())
}
