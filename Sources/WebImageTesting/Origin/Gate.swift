import CMicroHTTPD
import Glibc

/// A gate that a test opens once: everything that waits at it continues, everything later passes.
///
/// Gates place races. A response that a gate holds is sent after the test has done what must come first, on machines of
/// any speed.
///
/// ```swift
/// let gate = Gate()
/// origin.serve("/a.jpg", .picture(data).held(by: gate))
/// let load = startLoading(origin.url("/a.jpg"))
/// try await origin.waitForRequests(1)
/// load.cancel()
/// gate.open()
/// ```
public final class Gate: Sendable {
    /// Becomes readable for good when the gate opens, so that one `poll` can watch gates and sockets together.
    package let descriptor: CInt

    private let state = Observed(false)

    /// A closed gate. Uses one file descriptor.
    public init() {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC))
        precondition(descriptor >= 0, "a gate needs a file descriptor, and the process has none left")
    }

    deinit { close(descriptor) }

    /// Whether ``open()`` was called.
    public var isOpen: Bool { state.value }

    /// Opens the gate for good. Idempotent, any thread, never blocks.
    public func open() {
        let isFirst = state.update { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        if isFirst { eventfd_write(descriptor, 1) }
    }

    /// Returns once the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait() async throws(CancellationError) {
        try await state.wait { $0 }
    }

    /// Blocks the calling thread until the gate is open. Tasks use ``wait()``.
    public func waitBlocking() {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&watched, 1, -1) < 0, errno == EINTR {}
    }
}
