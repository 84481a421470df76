import Synchronization

/// The monitor of the system: GLib's once WebImageGTK is in use. Other programs have none, or give retries one of their own:
/// then the network counts as available, and never comes back.
public final class SystemNetworkMonitor: NetworkMonitor {
    /// The monitor of the process.
    public static let shared = SystemNetworkMonitor()

    private let current = Mutex<(any NetworkMonitor)?>(nil)

    package init() {}

    /// See ``NetworkMonitor/isAvailable``.
    public var isAvailable: Bool { current.withLock { $0 }?.isAvailable ?? true }

    /// See ``NetworkMonitor/waitForReturn()``.
    public func waitForReturn() async {
        if let monitor = current.withLock({ $0 }) {
            await monitor.waitForReturn()
        } else {
            await NetworkReturn().wait()
        }
    }

    /// Asks `monitor` from now on. Tasks that wait already hear of the former one.
    package func use(_ monitor: any NetworkMonitor) { current.withLock { $0 = monitor } }
}
