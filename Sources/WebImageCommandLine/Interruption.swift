import Dispatch
import Glibc
import Synchronization

/// Control-C, a terminal that is gone, and requests to terminate: the first cancels what runs, so that it can tidy up; the second does not wait.
package enum Interruption {
    private struct State {
        var received: ExitCode?
        var task: Task<ExitCode, Never>?
    }

    /// Runs `work` and returns its exit code, or that of the signal that cancelled it.
    package static func watch(_ work: @escaping @Sendable () async -> ExitCode) async -> ExitCode {
        // A reader that went away is an error of the write, not the death of the program.
        signal(SIGPIPE, SIG_IGN)
        let state = Mutex(State())
        var sources: [any DispatchSourceSignal] = []
        let endings = [(SIGHUP, ExitCode.hungUp), (SIGINT, .interrupted), (SIGTERM, .terminated)]
        // What nohup starts outlives the terminal.
        for (number, code) in endings where number != SIGHUP || !isIgnored(number) {
            let source = await source(of: number) {
                let (isFirst, task) = state.withLock { state in
                    defer { state.received = state.received ?? code }
                    return (state.received == nil, state.task)
                }
                // Cancelling may wait, for a terminal that was stopped, say; the next signal must get through meanwhile.
                if isFirst { Task.detached { task?.cancel() } } else { leaveAtOnce(code) }
            }
            sources.append(source)
        }
        let task = Task(operation: work)
        let wasInterrupted = state.withLock { state in
            state.task = task
            return state.received != nil
        }
        if wasInterrupted { task.cancel() }
        let code = await task.value
        for source in sources { source.cancel() }
        return state.withLock { $0.received } ?? code
    }

    /// Of its own: the shared ones run nothing new while all their threads wait.
    private static let queue = DispatchQueue(label: "WebImage interruption")

    /// Returns once signals really come to `handler`: until then they end the program, which has begun nothing yet.
    private static func source(of number: Int32, handler: @escaping @Sendable () -> Void) async
        -> any DispatchSourceSignal
    {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.activate()
        }
        return source
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func leaveAtOnce(_ code: ExitCode) -> Never {
        UnfinishedFile.discardAll()
        _exit(code.rawValue)
    }
}
