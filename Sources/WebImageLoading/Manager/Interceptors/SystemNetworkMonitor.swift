import Synchronization

/// The monitor of the system: the kernel's (``NetlinkMonitor``), or GLib's once WebImageGTK is in use, which hears of
/// sandboxes' networks, too.
public final class SystemNetworkMonitor: NetworkMonitor {
    /// The monitor of the process.
    public static let shared = SystemNetworkMonitor()

    private let current: Mutex<any NetworkMonitor>

    package init(_ monitor: any NetworkMonitor = NetlinkMonitor.shared) { current = Mutex(monitor) }

    /// See ``NetworkMonitor/isAvailable``.
    public var isAvailable: Bool { current.withLock { $0 }.isAvailable }

    /// See ``NetworkMonitor/waitForReturn()``.
    public func waitForReturn() async { await current.withLock { $0 }.waitForReturn() }

    /// Asks `monitor` from now on. Tasks that wait already hear of the former one.
    package func use(_ monitor: any NetworkMonitor) { current.withLock { $0 = monitor } }
}
