import CGtk4
import Synchronization
import WebImage

/// Hears from GLib (`GNetworkMonitor`) when the network is back. GLib asks NetworkManager or, in a sandbox, the portal.
final class GLibNetworkMonitor: NetworkMonitor {
    private let available: Mutex<Bool>
    private let networkReturn = NetworkReturn()

    @MainActor private static var isInstalled = false

    /// Lets retries ask GLib; further calls do nothing.
    @MainActor
    static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        // Creating GLib's monitor talks to a bus, which must not delay the first frame.
        g_idle_add_full(
            G_PRIORITY_LOW,
            { _ in
                MainActor.assumeIsolated { _ = GLibNetworkMonitor.start(SystemNetworkMonitor.shared) }
                return 0
            }, nil, nil)
    }

    /// Makes `system` ask a monitor of GLib's; nil where there is none.
    @MainActor
    @discardableResult static func start(_ system: SystemNetworkMonitor) -> GLibNetworkMonitor? {
        guard let source = g_network_monitor_get_default() else { return nil }
        let monitor = GLibNetworkMonitor(source)
        system.use(monitor)
        return monitor
    }

    /// - Parameter source: A `GNetworkMonitor`, which retains this one.
    @MainActor
    init(_ source: OpaquePointer) {
        available = Mutex(g_network_monitor_get_network_available(source) != 0)
        connect(source, "network-changed") { (isAvailable: Bool) in self.networkChanged(isAvailable) }
    }

    var isAvailable: Bool { available.withLock { $0 } }

    func waitForReturn() async { await networkReturn.wait() }

    private func networkChanged(_ isAvailable: Bool) {
        available.withLock { $0 = isAvailable }
        if isAvailable { networkReturn.announce() }
    }
}
