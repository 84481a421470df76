import CLinux
import Dispatch
import Glibc
import Synchronization

/// Hears from the kernel (netlink, RTNETLINK) of addresses and routes that are added. Costs nothing while no task waits.
public final class NetlinkMonitor: NetworkMonitor {
    /// The monitor of the process.
    public static let shared = NetlinkMonitor { webimage_netlink_open() }

    private let networkReturn: NetworkReturn

    /// - Parameter open: Opens a socket on which the kernel's messages come, and which does not block; -1 for none.
    init(open: @escaping @Sendable () -> CInt) {
        let listener = NetlinkListener()
        networkReturn = NetworkReturn { isAwaited, tasks in
            guard isAwaited else { return listener.stop() }
            listener.start(open()) { [weak tasks] in tasks?.announce() }
        }
    }

    /// Whether an interface other than the loopback one is up and has an address.
    public var isAvailable: Bool { webimage_network_is_up() != 0 }

    /// See ``NetworkMonitor/waitForReturn()``. Without a socket to the kernel, it waits for the cancellation.
    public func waitForReturn() async { await networkReturn.wait() }
}

/// The socket, while a task waits.
private final class NetlinkListener: Sendable {
    private let source = Mutex<(any DispatchSourceRead)?>(nil)

    /// - Parameter descriptor: Is closed at the end; -1 for none.
    func start(_ descriptor: CInt, arrived: @escaping @Sendable () -> Void) {
        guard descriptor >= 0 else { return }
        source.withLock { $0 = Self.source(descriptor, arrived) }
    }

    func stop() {
        source.withLock { source in
            source?.cancel()
            source = nil
        }
    }

    private static func source(
        _ descriptor: CInt, _ arrived: @escaping @Sendable () -> Void
    ) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .utility))
        source.setEventHandler { if readArrivals(from: descriptor) { arrived() } }
        source.setCancelHandler { _ = close(descriptor) }
        source.activate()
        return source
    }

    /// Reads all that has come. True when an address or a route was added, or when the kernel had to drop messages.
    private static func readArrivals(from descriptor: CInt) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var hasArrivals = false
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ENOBUFS || errno == EINTR {
                if errno == ENOBUFS { hasArrivals = true }
                continue
            }
            guard count > 0 else { return hasArrivals }
            if NetlinkMessages(buffer[..<count]).tellOfArrival { hasArrivals = true }
        }
    }
}
