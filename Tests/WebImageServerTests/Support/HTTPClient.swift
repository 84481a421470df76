import Foundation
import Glibc

@testable import WebImageTestDoubles
@testable import WebImageTesting

/// A client of HTTP/1.1 that sends what a test says, byte for byte.
final class HTTPClient: @unchecked Sendable {
    struct Answer: Sendable {
        let status: Int
        /// Names in lower case.
        let headers: [String: String]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    // One task at a time uses a client.
    private let socket: CInt
    private var received: [UInt8] = []

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback
        address.sin_port = in_port_t(port).bigEndian
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The deinitializer closes the socket in this case, too.
        guard code == 0 else { throw TestFailure(text: "no connection to port \(port)") }
    }

    deinit { close(socket) }

    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            bytes.removeFirst(count)
        }
    }

    /// Sends no more.
    func closeForSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// The next answer; nil where the server has closed the connection before its end.
    func receive(withBody: Bool = true) -> Answer? {
        while let more = more() {
            received += more
            if let answer = takeAnswer(withBody: withBody) { return answer }
        }
        return takeAnswer(withBody: withBody)
    }

    /// Whether the server has closed the connection, without any further byte.
    func isClosed() -> Bool { received.isEmpty && more() == nil }

    private func more() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private func takeAnswer(withBody: Bool) -> Answer? {
        guard let end = received.firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let count = withBody && status != 304 ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        guard received.count >= end.upperBound + count else { return nil }
        let body = Data(received[end.upperBound..<end.upperBound + count])
        received.removeFirst(end.upperBound + count)
        return Answer(status: status, headers: headers, body: body)
    }
}

extension HTTPClient {
    /// The answer to one request on a connection of its own.
    static func answer(
        port: Int, _ target: String, method: String = "GET", _ headers: [String: String] = [:]
    ) async throws -> Answer {
        try await onThread {
            let client = try HTTPClient(port: port)
            let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            client.send("\(method) \(target) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\(fields)\r\n")
            guard let answer = client.receive(withBody: method != "HEAD") else {
                throw TestFailure(text: "no answer to \(target)")
            }
            return answer
        }
    }

    /// Runs what waits for a server, which needs the few threads of tasks itself.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
    }
}
