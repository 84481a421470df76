import FoundationEssentials
import Glibc
import Synchronization
import WebImageTesting

/// A TCP server that follows a script byte by byte, for tests of servers that violate HTTP.
///
/// ```swift
/// let origin = try RawOrigin([.receiveHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"), .reset])
/// ```
/// Each connection runs its script on its own thread. At the end of the script the connection is closed gracefully. The
/// origin stops with its last reference. Safe to use from any thread.
package final class RawOrigin: Sendable {
    /// One step of a connection's script.
    package enum Step: Sendable {
        /// Reads up to the empty line that ends a request's head, or until the client closes its half.
        case receiveHead
        /// Reads until the bytes that this step has read satisfy the condition, or until the client closes its half.
        case receive(until: @Sendable (Data) -> Bool)
        /// Sends these bytes.
        case send(Data)
        /// Sends these bytes again and again, with a pause before each time, until the client leaves or the origin stops.
        case repeatedly(Data, every: Duration)
        /// Sends these bytes one by one, with a pause before each.
        case drip(Data, every: Duration)
        /// Does nothing for a while.
        case pause(Duration)
        /// Does nothing until the gate is open.
        case wait(Gate)
        /// Does nothing until the client leaves or the origin stops.
        case stall
        /// Resets the connection (TCP RST).
        case reset

        /// Sends this text as UTF-8.
        package static func send(_ text: String) -> Step { .send(Data(text.utf8)) }

        /// Sends this text as UTF-8, see ``repeatedly(_:every:)-enum.case``.
        package static func repeatedly(_ text: String, every pause: Duration = .zero) -> Step {
            .repeatedly(Data(text.utf8), every: pause)
        }

        /// Sends this text as UTF-8, see ``drip(_:every:)-enum.case``.
        package static func drip(_ text: String, every pause: Duration) -> Step {
            .drip(Data(text.utf8), every: pause)
        }
    }

    /// The port at 127.0.0.1.
    package let port: Int

    private let listener: CInt
    private let scripts: [[Step]]
    private let stopping = Gate()
    private let heads = Observed<[String]>([])
    private let threads = Mutex<[JoinableThread]>([])

    /// Starts a server whose connections all follow the same script.
    ///
    /// - Throws: ``OriginError`` when no port or no thread is available.
    package convenience init(_ script: [Step]) throws(OriginError) {
        try self.init(scripts: [script])
    }

    /// Starts a server whose connections take `scripts` in the order of their arrival; all later ones take the last
    /// script.
    ///
    /// - Throws: ``OriginError`` when no port or no thread is available.
    package init(scripts: [[Step]]) throws(OriginError) {
        (listener, port) = try Self.listen()
        self.scripts = scripts
        let acceptor = RawAcceptor(listener: listener, stopping: stopping, heads: heads, scripts: scripts)
        guard let thread = JoinableThread({ acceptor.run() }) else {
            close(listener)
            throw .system("pthread_create")
        }
        threads.withLock { $0 = [thread] }
    }

    deinit {
        stop()
        close(listener)
    }

    /// Closes all connections and joins all threads. Idempotent.
    package func stop() {
        stopping.open()
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { thread.join() }
    }

    /// The address of a path, which must start with a slash.
    package func url(_ target: String = "/") -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else {
            preconditionFailure("\(target) is not the path of a URL; escape what must be escaped")
        }
        return url
    }

    /// The heads that ``RawOrigin/Step/receiveHead`` and ``RawOrigin/Step/receive(until:)`` have read so far, in the
    /// order of arrival.
    package var receivedHeads: [String] { heads.value }

    /// Returns once `count` heads have been read.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    @discardableResult
    package func waitForHeads(_ count: Int) async throws(CancellationError) -> [String] {
        try await heads.wait { $0.count >= count }
    }

    private static func listen() throws(OriginError) -> (listener: CInt, port: Int) {
        let flags = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK].reduce(0) { $0 | CInt($1.rawValue) }
        let listener = socket(AF_INET, flags, 0)
        guard listener >= 0 else { throw .system("socket") }
        var address = sockaddr_in.loopback
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, length) == 0, Glibc.listen(listener, 128) == 0 else { return errno }
                return getsockname(listener, address, &length) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            close(listener)
            throw .system("listen", code)
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }
}
