import Foundation
import Synchronization
import WebImageCore
import WebImageHTTP

/// A second HTTP client, to test what the downloader promises whatever performs its exchanges: HTTP/1.1 without TLS, with
/// a connection and a thread for each request.
struct SocketOperation: DownloadOperation {
    func start(
        _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
    ) -> any CancellableTask {
        let exchange = SocketExchange(request)
        Thread { receive(.finished(exchange.run(receive))) }.start()
        return exchange
    }
}

/// The transport that performs the exchanges of a downloader in a test.
enum Transport: CaseIterable {
    case libcurl
    case sockets

    /// A downloader without a proxy.
    func downloader(_ change: (inout WebImageDownloaderConfig) -> Void = { _ in }) -> WebImageDownloader {
        let downloader = WebImageDownloader.direct(change)
        if self == .sockets { downloader.downloadOperation = SocketOperation() }
        return downloader
    }
}

private final class SocketExchange: CancellableTask {
    private let request: DownloadRequest
    private let descriptor: CInt
    private let isCancelled = Mutex(false)

    init(_ request: DownloadRequest) {
        self.request = request
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    }

    deinit { close(descriptor) }

    func cancel() {
        isCancelled.withLock { $0 = true }
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Returns why the response is not complete.
    func run(_ receive: (DownloadOperationEvent) -> Void) -> WebImageError? {
        guard connectToHost(), sendRequest(credential: nil) else { return .socket(.cannotConnect) }
        var reader = SocketReader(descriptor: descriptor)
        guard var head = reader.head(request.url) else { return .socket(.connectionLost) }
        if head.statusCode == 401, let credential = request.credential, let length = head.contentLength {
            guard reader.pass(length, to: { _ in }), sendRequest(credential: credential),
                let second = reader.head(request.url)
            else { return .socket(.connectionLost) }
            head = second
        }
        receive(.response(head, expectedByteCount: head.contentLength))
        let isWhole = reader.body(of: head) { receive(.data($0)) }
        return isWhole ? nil : .socket(.connectionLost)
    }

    private func connectToHost() -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(request.url.port ?? 80).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func sendRequest(credential: DownloadCredential?) -> Bool {
        var head = "\(request.method) \(request.url.path())\(request.url.query().map { "?\($0)" } ?? "") HTTP/1.1\r\n"
        head += "Host: \(request.url.host() ?? ""):\(request.url.port ?? 80)\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        if let credential {
            let pair = Data("\(credential.user):\(credential.password)".utf8).base64EncodedString()
            head += "Authorization: Basic \(pair)\r\n"
        }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        var bytes = Data((head + "\r\n").utf8) + (request.body ?? Data())
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            bytes.removeFirst(count)
        }
        return true
    }
}

/// Reads a response from a socket.
private struct SocketReader {
    let descriptor: CInt
    private var buffer = Data()

    init(descriptor: CInt) { self.descriptor = descriptor }

    private mutating func fill() -> Bool {
        var bytes = Data(count: 16_384)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 { buffer.append(bytes.prefix(count)) }
        return count > 0
    }

    /// The text up to `end`, which is dropped.
    private mutating func text(until end: String) -> String? {
        while true {
            if let range = buffer.firstRange(of: Data(end.utf8)) {
                defer { buffer = Data(buffer[range.upperBound...]) }
                return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    mutating func head(_ url: URL) -> HTTPResponse? {
        guard let lines = text(until: "\r\n\r\n")?.components(separatedBy: "\r\n"),
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.last?.trimmingCharacters(in: .whitespaces) ?? "")
        }
        return HTTPResponse(url: url, statusCode: status, headers: Dictionary(fields) { "\($0), \($1)" })
    }

    /// Passes `count` bytes on; false when the connection ends before.
    mutating func pass(_ count: Int, to take: (Data) -> Void) -> Bool {
        var rest = count
        while rest > 0 {
            if buffer.isEmpty, !fill() { return false }
            let piece = buffer.prefix(rest)
            take(Data(piece))
            rest -= piece.count
            buffer = Data(buffer.dropFirst(piece.count))
        }
        return true
    }

    mutating func body(of head: HTTPResponse, to take: (Data) -> Void) -> Bool {
        if head.statusCode == 304 || head.statusCode == 204 { return true }
        if let length = head.contentLength { return pass(length, to: take) }
        guard head.field("transfer-encoding") == "chunked" else {
            repeat {
                if !buffer.isEmpty { take(buffer) }
                buffer = Data()
            } while fill()
            return true
        }
        while let size = text(until: "\r\n").flatMap({ Int($0, radix: 16) }) {
            guard size > 0 else { return true }
            guard pass(size, to: take), text(until: "\r\n") != nil else { return false }
        }
        return false
    }
}

extension HTTPResponse {
    fileprivate func field(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }

    fileprivate var contentLength: Int? { field("content-length").flatMap { Int($0) } }
}

extension WebImageError {
    fileprivate static func socket(_ code: Code) -> WebImageError {
        WebImageError(code, stage: .load, kind: .transient, reason: "the socket has no more to give; try again")
    }
}
