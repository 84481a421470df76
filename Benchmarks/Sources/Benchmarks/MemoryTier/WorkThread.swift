import Glibc

/// A thread that can be joined.
struct WorkThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Start(body)).toOpaque())
        precondition(code == 0, "no thread to measure with")
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }
}
