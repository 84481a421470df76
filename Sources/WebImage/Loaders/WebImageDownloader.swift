import FoundationEssentials
import Synchronization

/// Loads pictures over http and https.
///
/// Connections are kept and used again, HTTP/2 is spoken where an https server does, and loads that ask the same at one
/// time share one transfer: it is as urgent as the most urgent of them and is given up when the last is cancelled. The
/// same is: URL, method, body, header fields, credential, use of cookies, trust in certificates and response modifier.
/// Bodies are asked for compressed; where one is, no length is expected in its progress. Bodies are not cached, and
/// cookies are kept for those loads only that use them, in memory.
///
/// All events come from one thread that serves every transfer of the downloader, so a receiver must be quick, and must not
/// wait for a thread that may be letting the downloader go. A downloader that is let go ends its loads as cancelled.
public final class WebImageDownloader: ImageLoader {
    /// The downloader with the default settings.
    public static let shared = WebImageDownloader()

    private let thread: TransferThread
    private let settings: Mutex<DownloaderSettings>

    /// A downloader with connections of its own. Costs nothing until its first load.
    public init(config: WebImageDownloaderConfig = .default) {
        thread = TransferThread(config: config)
        settings = Mutex(DownloaderSettings(config: config))
    }

    /// The settings; a change takes effect for loads that begin after it. Any thread.
    public var config: WebImageDownloaderConfig {
        get { settings.withLock { $0.config } }
        set {
            settings.withLock { settings in
                settings.config = newValue
                thread.configure(newValue)
            }
        }
    }

    /// Changes the requests of loads that bring no modifier of their own; nil, the default, for none. Any thread.
    public var requestModifier: (any DownloadRequestModifier)? {
        get { settings.withLock { $0.requestModifier } }
        set { replace(\.requestModifier, with: newValue) }
    }

    /// Changes the answers to loads that bring no modifier of their own; nil, the default, for none. Any thread.
    public var responseModifier: (any DownloadResponseModifier)? {
        get { settings.withLock { $0.responseModifier } }
        set { replace(\.responseModifier, with: newValue) }
    }

    /// Decrypts the bodies of loads that bring no decryptor of their own; nil, the default, for none. Any thread.
    public var decryptor: (any DownloadDecryptor)? {
        get { settings.withLock { $0.decryptor } }
        set { replace(\.decryptor, with: newValue) }
    }

    /// Loads that have begun and not ended, waiting ones included; loads that share a transfer count each.
    public var currentDownloadCount: Int { thread.mailbox.loadCount }

    /// Takes http and https.
    public func canLoad(_ url: URL) -> Bool { url.hasScheme("http", "https") }

    /// Starts or joins the transfer of what the request asks for.
    ///
    /// The request modifier is called before this method returns. Progress is reported when the transfer starts, when the
    /// server answers, and whenever bytes have come; bytes that a decryptor is for are not told as they come. Failures have
    /// the stage ``WebImageError/Stage/load``, or ``WebImageError/Stage/request`` where nothing could be asked.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any ImageLoadTask {
        do throws(WebImageError) {
            let load = try PreparedLoad(request, settings: settings.withLock { $0 })
            try thread.start()
            let task = DownloadTask(load, mailbox: thread.mailbox, receive: receive)
            thread.mailbox.post(.load(task))
            return task
        } catch {
            receive(.finished(.failure(error.about(request.url))))
            return EndedLoadTask()
        }
    }

    /// Cancels all loads that have begun.
    public func cancelAll() {
        thread.mailbox.post(.cancelAll)
    }

    private func replace<Value: Sendable>(
        _ setting: any WritableKeyPath<DownloaderSettings, Value> & Sendable, with value: Value
    ) {
        // What was there before is let go outside of the lock: its end may be the app's own code.
        _ = settings.withLock { settings in
            defer { settings[keyPath: setting] = value }
            return settings[keyPath: setting]
        }
    }
}
