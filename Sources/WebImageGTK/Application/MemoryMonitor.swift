import CGtk4
import Dispatch
import WebImage

/// Passes on to all caches what GLib's monitor says of the system's memory: on a desktop it hears of that before the
/// kernel's own signs reach a program, and in a sandbox it hears of it at all.
enum MemoryMonitor {
    private static var monitor: OpaquePointer?
    private static var isInstalled = false

    /// Listens from now on; does nothing when that was done before.
    static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        // Asking for the monitor talks to a bus: not before the first frame.
        g_idle_add_full(
            G_PRIORITY_LOW,
            { _ in
                MainActor.assumeIsolated { _ = MemoryMonitor.start() }
                return 0
            }, nil, nil)
    }

    /// The monitor that is listened to; nil where there is none.
    @discardableResult static func start() -> OpaquePointer? {
        if let monitor { return monitor }
        guard let found = g_memory_monitor_dup_default() else { return nil }
        let handler: @convention(c) (gpointer?, CInt, gpointer?) -> Void = { _, level, _ in
            // Freeing hundreds of megabytes takes longer than a frame.
            DispatchQueue.global(qos: .utility).async { MemoryPressure.shared.report(MemoryMonitor.level(of: level)) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(found), "low-memory-warning", unsafeBitCast(handler, to: GCallback.self), nil, nil,
            GConnectFlags(0))
        monitor = found
        return found
    }

    /// What a warning of GLib's asks of caches: with the highest, programs are about to be ended.
    nonisolated static func level(of warning: CInt) -> MemoryPressure.Level {
        warning >= CInt(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL.rawValue) ? .critical : .warning
    }
}
