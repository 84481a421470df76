import CGtk4
import Dispatch
import WebImage

/// Passes warnings of GLib's memory monitor on to all caches. On a desktop the monitor warns before the kernel's own
/// signals reach a program; in a sandbox only the monitor warns.
enum MemoryMonitor {
    private static var monitor: OpaquePointer?
    private static var isInstalled = false

    /// Starts listening; further calls do nothing.
    static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        // Creating the monitor talks to a bus, which must not delay the first frame.
        g_idle_add_full(
            G_PRIORITY_LOW,
            { _ in
                MainActor.assumeIsolated { _ = MemoryMonitor.start() }
                return 0
            }, nil, nil)
    }

    /// The monitor; nil where there is none.
    @discardableResult static func start() -> OpaquePointer? {
        if let monitor { return monitor }
        guard let found = g_memory_monitor_dup_default() else { return nil }
        connect(found, "low-memory-warning") { (level: Int) in
            // Freeing hundreds of megabytes takes longer than a frame.
            DispatchQueue.global(qos: .utility).async {
                MemoryPressure.shared.report(MemoryMonitor.level(of: CInt(level)))
            }
        }
        monitor = found
        return found
    }

    /// The reaction of caches to a warning of GLib's. At its highest level the system is about to kill programs.
    nonisolated static func level(of warning: CInt) -> MemoryPressure.Level {
        warning >= CInt(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL.rawValue) ? .critical : .warning
    }
}
