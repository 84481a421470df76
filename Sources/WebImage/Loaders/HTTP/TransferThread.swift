import CLinux
import Glibc
import Synchronization

/// The thread that owns every libcurl handle of one downloader. Started by the first load, joined by the end.
final class TransferThread: Sendable {
    private enum State {
        case notStarted(WebImageDownloaderConfig)
        case running(pthread_t)
    }

    let mailbox = TransferMailbox()
    private let state: Mutex<State>

    init(config: WebImageDownloaderConfig) {
        state = Mutex(.notStarted(config))
    }

    deinit {
        guard case .running(let thread) = state.withLock({ $0 }) else { return }
        mailbox.post(.stop)
        // The last reference may have been let go by a closure that this very thread called.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Settings from now on.
    func configure(_ config: WebImageDownloaderConfig) {
        let isRunning = state.withLock { state in
            if case .running = state { return true }
            state = .notStarted(config)
            return false
        }
        if isRunning { mailbox.post(.configure(config)) }
    }

    /// Makes sure that somebody reads the mailbox.
    func start() throws(WebImageError) {
        try state.withLock { state throws(WebImageError) in
            guard case .notStarted(let config) = state else { return }
            state = .running(try Self.run(TransferLoop(config: config, mailbox: mailbox)))
        }
    }

    private static func run(_ loop: TransferLoop) throws(WebImageError) -> pthread_t {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                prepareThread()
                Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw .curl("no thread for the network: \(String(systemError: result))")
        }
        return thread
    }
}

/// No signal is handled here: with CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to its caller, and the program's own handlers
/// belong to its own threads.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.http")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
}
