import CGtk4

/// Notices that a frame clock has stopped. Counts as long as it lives.
final class FrameWatch {
    /// Milliseconds without a frame after which none is expected any more.
    private static let patience: guint = 1000

    private let stopped: () -> Void
    private var hasSeenFrame = true
    private var source: guint = 0

    /// - Parameter stopped: Called when the patience is over, again and again as long as no frame comes.
    init(stopped: @escaping () -> Void) {
        self.stopped = stopped
        // Behind everything else: after a long pause of the main loop, the frame that is due comes first.
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
