import CGtk4

/// Calls something once, a while after it was last asked for.
final class DelayedCall {
    private let delay: Duration
    private let body: () -> Void
    private var timer: guint = 0

    init(after delay: Duration, _ body: @escaping () -> Void) {
        self.delay = delay
        self.body = body
    }

    isolated deinit { stop() }

    /// Begins the wait, also anew.
    func start() {
        stop()
        timer = g_timeout_add_once(
            guint(delay / .milliseconds(1)),
            { data in
                guard let data else { return }
                let call = Unmanaged<DelayedCall>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated {
                    call.timer = 0
                    call.body()
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins the wait, unless it has begun.
    func startUnlessRunning() { if timer == 0 { start() } }

    private func stop() {
        if timer != 0 { g_source_remove(timer) }
        timer = 0
    }
}
