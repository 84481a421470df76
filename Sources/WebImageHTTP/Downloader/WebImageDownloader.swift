import FoundationEssentials
import Synchronization
import WebImageCore

/// Loads pictures over http and https.
///
/// Connections are kept and reused, and https servers with HTTP/2 are addressed in that. Loads with the same request at
/// one time share one transfer: it has the highest of their priorities, and is cancelled with the last of them.
/// Requests are the same if their URL, method, body, header fields, credential, use of cookies, trust in certificates,
/// response modifier and download operation are equal. Bodies may be sent compressed; then the progress has no expected length. Bodies are
/// not cached. Cookies are kept in memory, and only for loads that use them.
///
/// All events come from one thread that serves every transfer of the downloader. A receiver must therefore be quick,
/// and must not wait for a thread that may release the downloader. A downloader that is released cancels its loads.
public final class WebImageDownloader: ImageLoader {
    /// The downloader with the default settings.
    public static let shared = WebImageDownloader()

    private let thread: TransferThread
    private let settings: Mutex<DownloaderSettings>

    /// A downloader with its own connections. Costs nothing until its first load.
    public init(config: WebImageDownloaderConfig = .default) {
        thread = TransferThread(config: config)
        settings = Mutex(DownloaderSettings(config: config))
    }

    init(config: WebImageDownloaderConfig, createThread: @escaping TransferThread.Create) {
        thread = TransferThread(config: config, create: createThread)
        settings = Mutex(DownloaderSettings(config: config))
    }

    /// The settings; a change applies to loads that begin after it. Any thread.
    public var config: WebImageDownloaderConfig {
        get { settings.withLock { $0.config } }
        set {
            settings.withLock { settings in
                settings.config = newValue
                thread.configure(newValue)
            }
        }
    }

    /// Changes the requests of loads without a request modifier in their context; nil, the default, for none. Any
    /// thread.
    public var requestModifier: (any DownloadRequestModifier)? {
        get { settings.withLock { $0.requestModifier } }
        set { replace(\.requestModifier, with: newValue) }
    }

    /// Changes the responses to loads without a response modifier in their context; nil, the default, for none. Any
    /// thread.
    public var responseModifier: (any DownloadResponseModifier)? {
        get { settings.withLock { $0.responseModifier } }
        set { replace(\.responseModifier, with: newValue) }
    }

    /// Decrypts the bodies of loads without a decryptor in their context; nil, the default, for none. Any thread.
    public var decryptor: (any DownloadDecryptor)? {
        get { settings.withLock { $0.decryptor } }
        set { replace(\.decryptor, with: newValue) }
    }

    /// Brings the responses in place of libcurl; nil, the default, for libcurl. A change applies to loads that begin after
    /// it. Any thread.
    public var downloadOperation: (any DownloadOperation)? {
        get { settings.withLock { $0.operation } }
        set { replace(\.operation, with: newValue) }
    }

    /// Whether transfers that have not begun wait; those that run go on, and loads may still join them. Default false.
    /// Any thread.
    public var isSuspended: Bool {
        get { settings.withLock { $0.isSuspended } }
        set {
            settings.withLock { settings in
                settings.isSuspended = newValue
                thread.suspend(newValue)
            }
        }
    }

    /// Loads that have begun and not ended, waiting ones included; loads that share a transfer count each.
    public var currentDownloadCount: Int { thread.mailbox.loadCount }

    /// True for http and https.
    public func canLoad(_ url: URL) -> Bool { url.hasScheme("http", "https") }

    /// ``WebImageDownloaderConfig/credential``, or one that stands for a client certificate.
    public func credential(for url: URL) -> DownloadCredential? { settings.withLock { $0.credential(for: url) } }

    /// That of the request modifier, which is called.
    public func method(of request: ImageLoadRequest) -> String {
        PreparedLoad.method(of: request, settings: settings.withLock { $0 })
    }

    /// Starts the transfer of the request, or joins one.
    ///
    /// The request modifier is called before this method returns. Progress is reported when the transfer starts, when
    /// the server responds, and whenever bytes have arrived; bytes for a decryptor are not delivered as they arrive.
    /// Failures have the stage ``WebImageError/Stage/load``, or ``WebImageError/Stage/request`` where no request could
    /// be sent.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
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
        // The old value is released outside the lock: its deinitializer may be code of the app.
        _ = settings.withLock { settings in
            defer { settings[keyPath: setting] = value }
            return settings[keyPath: setting]
        }
    }
}
