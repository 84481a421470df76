import Glibc

/// A thread that can be joined, which Dispatch's and Foundation's cannot.
struct JoinableThread: Sendable {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let thread: pthread_t

    /// Runs `body` on a new thread; nil when the system cannot create one.
    init?(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            return nil
        }
        self.thread = thread
    }

    /// Returns when the thread has ended. Call it once only.
    func join() { pthread_join(thread, nil) }
}
