import CGtk4
import CLinux
import Glibc
import Synchronization
import WebImage

/// Lets GTK's main loop drain Dispatch's main queue, which is also Swift's main actor.
///
/// Without it, `Task { @MainActor in … }` and `DispatchQueue.main.async` never run in a GTK program. The first use of a
/// view of this module installs it; a program that needs the main actor earlier calls ``install()`` itself.
///
/// The program's `main` must be synchronous (top-level code without `await`, or `static func main()`): after an `async`
/// main has suspended, the main actor lives on another thread, and GTK must not be called from there.
public enum MainLoopBridge {
    private static var source: guint = 0

    /// Connects the two loops; further calls do nothing.
    ///
    /// - Returns: False when the main queue cannot be served from this thread. That is no fault in a test of Swift
    ///   Testing, where Dispatch serves the main actor and no loop of GTK's runs. Where one runs, and the main actor
    ///   stands still meanwhile, a warning through `WebImageLog` says so once.
    @discardableResult public static func install() -> Bool {
        guard source == 0 else { return true }
        let descriptor = webimage_is_main_thread() != 0 ? _dispatch_get_main_queue_handle_4CF() : -1
        guard descriptor >= 0 else {
            StuckMainActor.watch()
            return false
        }
        // Painting has the same priority, so that neither a busy main queue nor slow drawing starves the other.
        let priority = Int32(GDK_PRIORITY_REDRAW)
        source = g_unix_fd_add_full(
            priority, descriptor, G_IO_IN,
            { descriptor, _, _ in
                var wakeups: UInt64 = 0
                // Resets the count of the eventfd; the descriptor does not block.
                _ = read(descriptor, &wakeups, MemoryLayout.size(ofValue: wakeups))
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil, nil)
        MemoryMonitor.install()
        GLibNetworkMonitor.install()
        ImageCache.applicationIdentifier.withLock { $0 = { applicationIdentifier } }
        return true
    }

    /// Of the program's first `GApplication`; nil before there is one.
    nonisolated private static var applicationIdentifier: String? {
        guard let application = g_application_get_default() else { return nil }
        return g_application_get_application_id(application).map { String(cString: $0) }
    }
}
