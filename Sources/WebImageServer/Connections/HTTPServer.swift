import CMicroHTTPD
import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore

/// A server of HTTP/1.1 on libmicrohttpd, with a few threads: a request whose answer takes time waits without one.
///
/// The daemon has an unretained pointer to the core, which this object keeps until the daemon's threads have ended.
final class HTTPServer: Sendable {
    /// The limits of what clients may use.
    struct Limits: Sendable {
        var threadCount = 2
        var connectionCount = 4096
        var connectionCountPerAddress = 1024
        /// For a connection without any byte.
        var idleSeconds = 60
        /// For a request's head, from its connection's beginning, or from the end of the answer before.
        var headTime = Duration.seconds(15)
        /// For taking an answer.
        var answerTime = Duration.seconds(300)
    }

    let name: String
    private let core: HTTPServerCore
    private let daemon: Mutex<OpaquePointer?>
    /// That of a daemon which does not listen any more.
    private let listener = Mutex<CInt?>(nil)

    init(
        _ socket: borrowing ListeningSocket, limits: Limits,
        respond: @escaping @Sendable (ServiceRequest) -> ServiceResponse
    ) throws(PictureServerError) {
        name = socket.name
        core = HTTPServerCore(watch: ConnectionTimes(limits), respond: respond)
        var service = webimage_service()
        service.context = Unmanaged.passUnretained(core).toOpaque()
        service.answer = answerRequest
        service.ended = endExchange
        service.connected = noteConnection
        service.target = beginExchange
        service.listener = socket.number
        service.threads = UInt32(limits.threadCount)
        service.connections = UInt32(max(limits.connectionCount, limits.threadCount))
        service.connections_per_address = UInt32(limits.connectionCountPerAddress)
        service.idle_seconds = UInt32(limits.idleSeconds)
        guard let handle = webimage_start_service(&service) else {
            close(socket.number)
            throw PictureServerError("libmicrohttpd does not start: \(SystemFailure(code: errno).text)")
        }
        daemon = Mutex(handle)
        core.watch.begin()
    }

    deinit { stop() }

    /// Requests that wait for their answers, or are being sent.
    var openRequestCount: Int { core.openRequests.withLock { $0 } }

    /// Takes no more connections. Those that are there go on.
    func stopListening() {
        daemon.withLock { daemon in
            guard let daemon else { return }
            let socket = MHD_quiesce_daemon(daemon)
            guard socket >= 0 else { return }
            // The daemon's threads may still use its number: it is closed after their end.
            shutdown(socket, Int32(SHUT_RDWR))
            listener.withLock { $0 = socket }
        }
    }

    /// Closes all connections, and ends the daemon's threads. Requests that still wait get no answer.
    func stop() {
        core.watch.end()
        guard let handle = daemon.withLock({ $0.take() }) else { return }
        core.abandon()
        MHD_stop_daemon(handle)
        if let socket = listener.withLock({ $0.take() }) { close(socket) }
    }
}

/// The state that the daemon's callbacks use. Any thread.
private final class HTTPServerCore: Sendable {
    /// Those that have no bodies.
    static let methods: Set = ["GET", "HEAD", "PURGE"]

    let respond: @Sendable (ServiceRequest) -> ServiceResponse
    let watch: ConnectionTimes
    let openRequests = Mutex(0)

    /// Connections that wait. libmicrohttpd does not end while there are some.
    private struct Waiting: @unchecked Sendable {
        // The pointer is only used to resume the connection, which libmicrohttpd allows on any thread.
        let connection: OpaquePointer
        let exchange: ServiceExchange
    }

    private let waiting = Mutex<(byExchange: [ObjectIdentifier: Waiting], isOver: Bool)>(([:], false))

    init(watch: ConnectionTimes, respond: @escaping @Sendable (ServiceRequest) -> ServiceResponse) {
        self.watch = watch
        self.respond = respond
    }

    /// Lets the connection wait until the answer is there.
    func wait(
        _ connection: OpaquePointer, _ exchange: ServiceExchange,
        for work: @escaping @Sendable () async -> ServiceAnswer
    ) {
        let isOver = waiting.withLock { waiting in
            if !waiting.isOver {
                waiting.byExchange[ObjectIdentifier(exchange)] = Waiting(connection: connection, exchange: exchange)
                MHD_suspend_connection(connection)
            }
            return waiting.isOver
        }
        if isOver { return exchange.finish(.text("the service stops", status: 503)) }
        Task.immediate { [self] in resume(exchange, with: await work()) }
    }

    private func resume(_ exchange: ServiceExchange, with answer: ServiceAnswer) {
        waiting.withLock { waiting in
            guard let waiter = waiting.byExchange.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
            exchange.finish(answer)
            MHD_resume_connection(waiter.connection)
        }
    }

    /// Resumes all connections: the daemon is about to end.
    func abandon() {
        waiting.withLock { waiting in
            waiting.isOver = true
            for waiter in waiting.byExchange.values {
                waiter.exchange.finish(.text("the service stops", status: 503))
                MHD_resume_connection(waiter.connection)
            }
            waiting.byExchange = [:]
        }
    }
}

private func core(_ context: UnsafeMutableRawPointer?) -> HTTPServerCore? {
    context.map { Unmanaged<HTTPServerCore>.fromOpaque($0).takeUnretainedValue() }
}

private func noteConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
) {
    guard let core = core(context), let connection else { return }
    let socket = webimage_connection_socket(connection)
    if event == .CONNECTION_NOTIFY_STARTED { core.watch.awaitHead(on: socket) } else { core.watch.forget(socket) }
}

/// Called with the request line, the only place that has the target as it was sent.
private func beginExchange(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target else { return nil }
    return Unmanaged.passRetained(ServiceExchange(target: String(cString: target))).toOpaque()
}

private func endExchange(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let opaque = exchange?.pointee, let core = core(context) else { return }
    exchange?.pointee = nil
    if Unmanaged<ServiceExchange>.fromOpaque(opaque).takeRetainedValue().hasBegun {
        core.openRequests.withLock { $0 -= 1 }
    }
    if let connection { core.watch.awaitHead(on: webimage_connection_socket(connection)) }
}

/// Called once for the head, and then for the answer, once more after each wait.
private func answerRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core = core(context), let connection, let method, let uploadSize, let opaque = exchange?.pointee else {
        return .NO
    }
    let exchange = Unmanaged<ServiceExchange>.fromOpaque(opaque).takeUnretainedValue()
    let socket = webimage_connection_socket(connection)
    if let answer = exchange.takeAnswer() {
        core.watch.awaitTaking(on: socket)
        return answer.queue(on: connection)
    }
    switch exchange.nextCall() {
    case .head:
        // An answer before the end of the request closes the connection: that suits a method which may bring a long body, and a
        // body whose end may be read in two ways.
        if HTTPServerCore.methods.contains(String(cString: method)) {
            guard let fault = RequestHead.fault(headers(of: connection)) else { return .YES }
            return ServiceAnswer.text(fault, status: 400).queue(on: connection)
        }
    case .request where uploadSize.pointee > 0: return .NO
    case .request:
        exchange.begin()
        core.openRequests.withLock { $0 += 1 }
    case .begun: return .YES
    }
    core.watch.forget(socket)
    let request = ServiceRequest(
        method: String(cString: method), target: RequestHead.originForm(exchange.target),
        headers: headers(of: connection),
        peer: webimage_client_address(connection).flatMap { SocketName($0)?.host } ?? "")
    switch core.respond(request) {
    case .now(let answer):
        core.watch.awaitTaking(on: socket)
        return answer.queue(on: connection)
    case .later(let work):
        core.wait(connection, exchange, for: work)
        return .YES
    }
}

private func headers(of connection: OpaquePointer) -> [String: String] {
    var headers: [String: String] = [:]
    withUnsafeMutablePointer(to: &headers) { headers in
        _ = MHD_get_connection_values(connection, .HEADER_KIND, collectHeader, headers)
    }
    return headers
}

private func collectHeader(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let headers = context?.assumingMemoryBound(to: [String: String].self), let name else { return .NO }
    let (key, text) = (String(cString: name).lowercased(), value.map { String(cString: $0) } ?? "")
    headers.pointee[key] = headers.pointee[key].map { "\($0), \(text)" } ?? text
    return .YES
}

extension ServiceAnswer {
    fileprivate func queue(on connection: OpaquePointer) -> MHD_Result {
        let handle = body.withUnsafeBytes {
            // libmicrohttpd copies the bytes and does not write to them; its parameter lacks the const.
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let handle else { return .NO }
        defer { MHD_destroy_response(handle) }
        for field in headers { MHD_add_response_header(handle, field.name, field.value) }
        return MHD_queue_response(connection, UInt32(status), handle)
    }
}
