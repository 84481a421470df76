import CLinux
import Dispatch
import Synchronization

/// Tells whether the machine has a network, and when it is back.
public protocol NetworkMonitor: Sendable {
    /// Whether other machines can be reached, as far as the system knows. Any thread; quick.
    var isAvailable: Bool { get }

    /// Returns when the network has come back: when an address or a route was added after the call. Returns, too, when
    /// the task is cancelled.
    func waitForReturn() async
}

/// Hears from the kernel (netlink, RTNETLINK) of addresses and routes that are added. Costs nothing while no task waits.
public final class NetlinkMonitor: NetworkMonitor {
    /// The monitor of the process.
    public static let shared = NetlinkMonitor()

    fileprivate struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
        var source: (any DispatchSourceRead)?
    }

    private let state = Mutex(State())

    /// Whether an interface other than the loopback one is up and has an address.
    public var isAvailable: Bool { webimage_network_is_up() != 0 }

    /// See ``NetworkMonitor/waitForReturn()``. Without a socket to the kernel, it waits for the cancellation.
    public func waitForReturn() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // A cancellation before this has found nothing to end.
                    guard !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    if state.source == nil { state.source = makeSource() }
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                state.stopListening()
                return continuation
            }
            continuation?.resume()
        }
    }

    private func makeSource() -> (any DispatchSourceRead)? {
        let descriptor = webimage_netlink_open()
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .utility))
        source.setEventHandler { [weak self] in
            if webimage_netlink_has_arrival(descriptor) != 0 { self?.resumeAll() }
        }
        source.setCancelHandler { webimage_netlink_close(descriptor) }
        source.activate()
        return source
    }

    private func resumeAll() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = [:]
            state.stopListening()
            return waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    deinit { state.withLock { $0.source?.cancel() } }
}

extension NetlinkMonitor.State {
    /// Closes the socket when nothing waits.
    fileprivate mutating func stopListening() {
        guard waiting.isEmpty else { return }
        source?.cancel()
        source = nil
    }
}
