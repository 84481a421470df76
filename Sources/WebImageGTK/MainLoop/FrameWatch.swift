import CGtk4

/// Detects that a frame clock has stopped. Watches as long as it lives.
final class FrameWatch {
    /// Milliseconds without a frame after which the clock counts as stopped.
    private static let patience: guint = 1000

    private let stopped: () -> Void
    private var hasSeenFrame = true
    private var source: guint = 0

    /// - Parameter stopped: Called after each such period without a frame.
    init(stopped: @escaping () -> Void) {
        self.stopped = stopped
        // Lowest priority: after a long pause of the main loop, a frame that is due comes first.
        source = g_timeout_add_full(
            G_PRIORITY_LOW, Self.patience,
            { data in
                guard let data else { return 0 }
                Unmanaged<FrameWatch>.fromOpaque(data).takeUnretainedValue().look()
                return 1
            },
            Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    isolated deinit { g_source_remove(source) }

    /// A frame has come.
    func noteFrame() { hasSeenFrame = true }

    private func look() {
        let isRunning = hasSeenFrame
        hasSeenFrame = false
        if !isRunning { stopped() }
    }
}
