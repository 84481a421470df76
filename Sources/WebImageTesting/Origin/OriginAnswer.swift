import CMicroHTTPD
import FoundationEssentials

/// Answers one request on its connection's thread.
struct OriginAnswer {
    let core: OriginCore
    let connection: OpaquePointer
    let exchange: OriginExchange

    private var socket: ConnectionSocket {
        ConnectionSocket(descriptor: webimage_connection_socket(connection), stopping: core.stopping)
    }

    /// Records the request, takes its response and sends it. `NO` closes the connection.
    func send(method: String) -> MHD_Result {
        let (request, answer) = core.record(exchange, method: method, headers: requestHeaders())
        exchange.requestNumber = request.number
        let response = core.response(to: request, by: answer)
        if let ending = waitBeforeHead(response) {
            exchange.ending = ending
            return .NO
        }
        if let bytes = response.rawAnswer {
            exchange.ending = socket.send(bytes) ?? .brokenOff
            return .NO
        }
        return queue(response)
    }

    private func waitBeforeHead(_ response: OriginResponse) -> OriginEnding? {
        if let ending = socket.pause(for: response.delay) { return ending }
        for hold in response.holds where hold.offset == nil {
            if let ending = socket.wait(for: hold.gate) { return ending }
        }
        return nil
    }

    private func queue(_ response: OriginResponse) -> MHD_Result {
        guard let handle = response.isPlain ? plainResponse(response) : scriptedResponse(response) else {
            return .NO
        }
        defer { MHD_destroy_response(handle) }
        for field in response.headers where MHD_add_response_header(handle, field.name, field.value) == .NO {
            return queue(.text("The origin cannot send the header field \(field.name).\n", status: 500))
        }
        return MHD_queue_response(connection, UInt32(response.status), handle)
    }

    private func plainResponse(_ response: OriginResponse) -> OpaquePointer? {
        response.body.withUnsafeBytes {
            // libmicrohttpd copies the bytes and does not write to them; its parameter lacks the const.
            let bytes = UnsafeMutableRawPointer(mutating: $0.baseAddress)
            return MHD_create_response_from_buffer($0.count, bytes, .RESPMEM_MUST_COPY)
        }
    }

    private func scriptedResponse(_ response: OriginResponse) -> OpaquePointer? {
        let body = OriginBody(response, socket: socket, exchange: exchange)
        let context = Unmanaged.passRetained(body)
        let blockSize = min(max(1, response.pieceSize ?? 65_536), 1 << 20)
        let handle = MHD_create_response_from_callback(
            response.announcedLength, blockSize, readBody, context.toOpaque(), releaseBody)
        guard let handle else {
            context.release()
            return nil
        }
        if response.framing == .untilClose { _ = webimage_end_by_closing(handle) }
        return handle
    }

    private func requestHeaders() -> [String: String] {
        var headers: [String: String] = [:]
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values(connection, .HEADER_KIND, collectHeader, headers)
        }
        return headers
    }
}

extension OriginResponse {
    fileprivate var announcedLength: UInt64 {
        switch framing {
        case .contentLength: UInt64(body.count)
        case .claimedLength(let count): UInt64(max(0, count))
        case .chunked, .untilClose: .max  // MHD_SIZE_UNKNOWN
        }
    }

    /// The bytes of a response that libmicrohttpd cannot send.
    fileprivate var rawAnswer: Data? {
        if let rawBytes { return rawBytes }
        guard case .claimedLength(let count) = framing, count < body.count else { return nil }
        let reason = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(status) \(reason)\r\nConnection: close\r\nContent-Length: \(count)\r\n"
        for field in headers { head += "\(field.name): \(field.value)\r\n" }
        return Data((head + "\r\n").utf8) + body
    }
}

private func collectHeader(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let headers = context?.assumingMemoryBound(to: [String: String].self), let name else { return .NO }
    let (key, text) = (String(cString: name).lowercased(), value.map { String(cString: $0) } ?? "")
    headers.pointee[key] = headers.pointee[key].map { "\($0), \(text)" } ?? text
    return .YES
}

private func readBody(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, limit: Int
) -> Int {
    guard let context, let buffer else { return OriginDaemon.endWithError }
    let body = Unmanaged<OriginBody>.fromOpaque(context).takeUnretainedValue()
    return body.read(at: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
}

private func releaseBody(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<OriginBody>.fromOpaque(context).release()
}
