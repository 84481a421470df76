import Synchronization

extension WebImageDownloaderConfig {
    /// The settings of downloaders that are made without any, ``WebImageDownloader/shared`` among them; a change leaves
    /// downloaders alone that are there already. Any thread.
    public static var `default`: WebImageDownloaderConfig {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(WebImageDownloaderConfig())
}
