import CMicroHTTPD
import FoundationEssentials
import Glibc
import Synchronization

/// A wrapper of libmicrohttpd: one thread per connection, which scripts may block.
///
/// Responses that no HTTP library would send are written directly to the socket, and the connection is closed.
final class OriginDaemon: Sendable {
    /// libmicrohttpd's codes are macros with casts, which Swift does not import.
    static let endOfStream = -1
    static let endWithError = -2

    let port: Int
    private let core: OriginCore
    private let handle: Mutex<OpaquePointer?>

    struct Identity {
        let key: String
        let certificate: String
        /// The authority for client certificates; nil requests none.
        var clientAuthority: String?
    }

    init(core: OriginCore, identity: Identity?) throws(OriginError) {
        var origin = webimage_origin()
        // stop() joins the daemon's threads before `core` can be released.
        origin.context = Unmanaged.passUnretained(core).toOpaque()
        origin.answer = answerRequest
        origin.ended = endExchange
        origin.connected = noteConnection
        origin.target = beginExchange
        guard let daemon = Self.start(&origin, identity: identity) else { throw .system("MHD_start_daemon") }
        port = Int(webimage_origin_port(daemon))
        self.core = core
        handle = Mutex(daemon)
    }

    private static func start(_ origin: inout webimage_origin, identity: Identity?) -> OpaquePointer? {
        var address = sockaddr_in.loopback
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard let identity else { return webimage_start_origin(address, &origin) }
                return identity.withPointers(in: &origin) { webimage_start_origin(address, &$0) }
            }
        }
    }

    /// Closes all connections and joins all threads.
    func stop() {
        guard let daemon = handle.withLock({ $0.take() }) else { return }
        core.stopping.open()
        MHD_stop_daemon(daemon)
    }

    deinit { stop() }
}

extension OriginDaemon.Identity {
    /// Passes the strings to libmicrohttpd, which copies them.
    fileprivate func withPointers<Result>(
        in origin: inout webimage_origin, _ body: (inout webimage_origin) -> Result
    ) -> Result {
        key.withCString { key in
            certificate.withCString { certificate in
                (clientAuthority ?? "").withCString { authority in
                    origin.key = key
                    origin.certificate = certificate
                    origin.client_authority = clientAuthority == nil ? nil : authority
                    return body(&origin)
                }
            }
        }
    }
}

extension sockaddr_in {
    /// 127.0.0.1, the port chosen by the system.
    package static var loopback: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}

private func core(_ context: UnsafeMutableRawPointer?) -> OriginCore? {
    context.map { Unmanaged<OriginCore>.fromOpaque($0).takeUnretainedValue() }
}

/// Called when a connection begins and when it ends; its number is stored as the pointer that libmicrohttpd keeps for
/// it.
private func noteConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
) {
    guard event == .CONNECTION_NOTIFY_STARTED, let core = core(context) else { return }
    socketContext?.pointee = UnsafeMutableRawPointer(bitPattern: core.connect())
}

/// Called with the request line, the only place that has the target as it was sent.
private func beginExchange(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let connection else { return nil }
    let number = Int(bitPattern: webimage_connection_context(connection))
    let exchange = OriginExchange(target: String(cString: target), connectionNumber: number)
    return Unmanaged.passRetained(exchange).toOpaque()
}

private func endExchange(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let opaque = exchange?.pointee else { return }
    exchange?.pointee = nil
    let exchange = Unmanaged<OriginExchange>.fromOpaque(opaque).takeRetainedValue()
    guard let number = exchange.requestNumber else { return }
    let seen: OriginEnding =
        switch code {
        case .REQUEST_TERMINATED_COMPLETED_OK: .answered
        case .REQUEST_TERMINATED_DAEMON_SHUTDOWN: .stopped
        // Stopping shuts the sockets down first, which a sending thread takes for a client that left.
        default: core(context)?.stopping.isOpen == true ? .stopped : .clientLeft
        }
    core(context)?.end(requestNumber: number, as: exchange.ending ?? seen)
}

/// Called once for the head, then for each part of the upload, then for the response.
private func answerRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core = core(context), let connection, let method, let uploadSize, let opaque = exchange?.pointee else {
        return .NO
    }
    let exchange = Unmanaged<OriginExchange>.fromOpaque(opaque).takeUnretainedValue()
    guard exchange.isHeadSeen else {
        exchange.isHeadSeen = true
        return .YES
    }
    if let upload, uploadSize.pointee > 0 {
        exchange.upload.append(Data(bytes: upload, count: uploadSize.pointee))
        uploadSize.pointee = 0
        return .YES
    }
    return OriginAnswer(core: core, connection: connection, exchange: exchange).send(method: String(cString: method))
}
