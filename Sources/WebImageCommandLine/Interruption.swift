import Dispatch
import Glibc
import Synchronization

/// Control-C and requests to terminate: the first cancels what runs, so that it can tidy up; the second does not wait.
package enum Interruption {
    /// Runs `work` and returns its exit code, or that of the signal that cancelled it.
    package static func watch(_ work: @escaping @Sendable () async -> ExitCode) async -> ExitCode {
        // A reader that went away is an error of the write, not the death of the program.
        signal(SIGPIPE, SIG_IGN)
        let task = Task(operation: work)
        let received = Mutex<ExitCode?>(nil)
        let sources = [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)].map { number, code in
            source(of: number) {
                let isFirst = received.withLock { previous in
                    defer { previous = previous ?? code }
                    return previous == nil
                }
                // Cancelling may wait, for a terminal that was stopped, say; the next signal must get through meanwhile.
                if isFirst { Task.detached { task.cancel() } } else { leaveAtOnce(code) }
            }
        }
        let code = await task.value
        for source in sources { source.cancel() }
        return received.withLock { $0 } ?? code
    }

    /// Of its own: the shared ones run nothing new while all their threads wait.
    private static let queue = DispatchQueue(label: "WebImage interruption")

    private static func source(of number: Int32, handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }

    private static func leaveAtOnce(_ code: ExitCode) -> Never {
        UnfinishedFile.discardAll()
        _exit(code.rawValue)
    }
}
