import CLinux
import Glibc
import Synchronization
import WebImageCore

/// The thread that owns all libcurl handles of one downloader. The first load starts it, and the deinitializer joins
/// it.
final class TransferThread: Sendable {
    private enum State {
        case notStarted(WebImageDownloaderConfig, isSuspended: Bool)
        case running(pthread_t)
    }

    /// `pthread_create`.
    typealias Create =
        @Sendable (
            _ thread: inout pthread_t, _ start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
            _ context: UnsafeMutableRawPointer
        ) -> CInt

    let mailbox = TransferMailbox()
    private let state: Mutex<State>
    private let create: Create

    static let systemCreate: Create = { thread, start, context in pthread_create(&thread, nil, start, context) }

    init(config: WebImageDownloaderConfig, create: @escaping Create = systemCreate) {
        self.create = create
        state = Mutex(.notStarted(config, isSuspended: false))
    }

    deinit {
        guard case .running(let thread) = state.withLock({ $0 }) else { return }
        mailbox.post(.stop)
        // A closure on this very thread may have released the last reference.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Replaces the settings.
    func configure(_ config: WebImageDownloaderConfig) {
        let isRunning = state.withLock { state in
            guard case .notStarted(_, let isSuspended) = state else { return true }
            state = .notStarted(config, isSuspended: isSuspended)
            return false
        }
        if isRunning { mailbox.post(.configure(config)) }
    }

    /// Whether transfers that have not begun wait.
    func suspend(_ isSuspended: Bool) {
        let isRunning = state.withLock { state in
            guard case .notStarted(let config, _) = state else { return true }
            state = .notStarted(config, isSuspended: isSuspended)
            return false
        }
        if isRunning { mailbox.post(.suspend(isSuspended)) }
    }

    /// Starts the thread, unless it runs. After a failure, the next call tries again.
    func start() throws(WebImageError) {
        try state.withLock { state throws(WebImageError) in
            guard case .notStarted(let config, let isSuspended) = state else { return }
            let loop = try TransferLoop(config: config, isSuspended: isSuspended, mailbox: mailbox)
            state = .running(try run(loop))
        }
    }

    private func run(_ loop: TransferLoop) throws(WebImageError) -> pthread_t {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            prepareThread()
            Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
        let result = create(&thread, start, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw .noThread(String(systemError: result))
        }
        return thread
    }
}

/// All signals are blocked: with CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to its caller, and the program's handlers
/// belong to its own threads.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.http")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    // libcurl takes host names in the locale's encoding, and without a locale only ASCII.
    uselocale(TextLocale.utf8.pointer)
}

/// A locale with an encoding and nothing else.
///
/// `@unchecked Sendable`: it is never changed and never freed.
private struct TextLocale: @unchecked Sendable {
    /// nil where the system lacks it; then the thread keeps the program's locale.
    let pointer = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    static let utf8 = TextLocale()
}
