import FoundationEssentials
import Synchronization

/// Loads pictures over http and https.
///
/// Connections are kept and used again, HTTP/2 is spoken where an https server does, and loads of one URL at one time
/// share one transfer: it is as urgent as the most urgent of them and is given up when the last is cancelled. Bodies are
/// asked for compressed; where one is, no length is expected in its progress. Nothing is cached and no cookie is kept.
///
/// All events come from one thread that serves every transfer of the downloader, so a receiver must be quick, and must not
/// wait for a thread that may be letting the downloader go. A downloader that is let go ends its loads as cancelled.
public final class WebImageDownloader: ImageLoader {
    /// The downloader with the default settings.
    public static let shared = WebImageDownloader()

    private let thread: TransferThread
    private let settings: Mutex<WebImageDownloaderConfig>

    /// A downloader with connections of its own. Costs nothing until its first load.
    public init(config: WebImageDownloaderConfig = WebImageDownloaderConfig()) {
        thread = TransferThread(config: config)
        settings = Mutex(config)
    }

    /// The settings; a change takes effect for transfers that start after it. Any thread.
    public var config: WebImageDownloaderConfig {
        get { settings.withLock { $0 } }
        set {
            settings.withLock { settings in
                settings = newValue
                thread.configure(newValue)
            }
        }
    }

    /// Loads that have begun and not ended, waiting ones included; loads that share a transfer count each.
    public var currentDownloadCount: Int { thread.mailbox.loadCount }

    /// Takes http and https.
    public func canLoad(_ url: URL) -> Bool { url.hasScheme("http", "https") }

    /// Starts or joins the transfer of the request's URL.
    ///
    /// Progress is reported when the transfer starts, when the server answers, and whenever bytes have come. Failures have
    /// the stage ``WebImageError/Stage/load``, or ``WebImageError/Stage/request`` where nothing could be asked.
    public func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any ImageLoadTask {
        let task = DownloadTask(request, mailbox: thread.mailbox, receive: receive)
        do throws(WebImageError) {
            try check(request.url)
            try thread.start()
            thread.mailbox.post(.load(task))
        } catch {
            task.finish(.failure(error))
        }
        return task
    }

    /// Cancels all loads that have begun.
    public func cancelAll() {
        thread.mailbox.post(.cancelAll)
    }

    private func check(_ url: URL) throws(WebImageError) {
        guard canLoad(url) else { throw .unsupportedScheme(url) }
        // libcurl would take the first part of the path for the host.
        guard let host = url.host(), !host.isEmpty else {
            throw .invalidAddress("it names no host; write http://host/path")
        }
        let byteCount = url.absoluteString.utf8.count
        guard byteCount <= Self.longestAddress else {
            throw .invalidAddress(
                "an address of \(byteCount) bytes is longer than the \(Self.longestAddress) that can be asked; shorten it"
            )
        }
    }

    /// libcurl builds requests of up to 1 MiB (DYN_HTTP_REQUEST); this leaves room for the header fields.
    private static let longestAddress = 1_000_000
}
