import Dispatch
import Glibc
import Synchronization

/// Control-C, a terminal that is gone, and requests to terminate: the first cancels what runs, so that it can tidy up; the second does not wait.
package enum Interruption {
    private struct State {
        var received: ExitCode?
        var task: Task<ExitCode, Never>?
    }

    /// A service's work at SIGHUP, which does not end it.
    private static let hangUpHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Calls `handler` at each SIGHUP from now on, in place of ending the program.
    package static func onHangUp(_ handler: @escaping @Sendable () -> Void) { hangUpHandler.withLock { $0 = handler } }

    /// Runs `work` and returns its exit code, or that of the signal that cancelled it.
    package static func watch(_ work: @escaping @Sendable () async -> ExitCode) async -> ExitCode {
        // A closed pipe is an error of the write and must not kill the program.
        signal(SIGPIPE, SIG_IGN)
        let state = Mutex(State())
        var sources: [any DispatchSourceSignal] = []
        let endings = [(SIGHUP, ExitCode.hungUp), (SIGINT, .interrupted), (SIGTERM, .terminated)]
        // A program that nohup has started outlives the terminal.
        for (number, code) in endings where number != SIGHUP || !isIgnored(number) {
            let source = await source(of: number) {
                if number == SIGHUP, let handler = hangUpHandler.withLock({ $0 }) { return handler() }
                let (isFirst, task) = state.withLock { state in
                    defer { state.received = state.received ?? code }
                    return (state.received == nil, state.task)
                }
                // Cancelling may block, for instance on a stopped terminal; the next signal must still be handled.
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

    /// A queue of its own: the shared ones start nothing new while all their threads are blocked.
    private static let queue = DispatchQueue(label: "WebImage interruption")

    /// Returns once `handler` receives the signal: until then the signal kills the program, which has no work yet.
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
        KeyInput.restore()
        _exit(code.rawValue)
    }
}
