import Foundation
import Synchronization
import WebImageTesting

/// The origin of the public tests of HTTP caches: answers each request of a test as the test says, and says in the answer
/// how often it was asked.
struct HTTPCacheTestOrigin: Sendable {
    /// The requests of one test, as the origin saw them.
    struct Run: Sendable {
        let test: HTTPCacheCorpus.Test
        /// The date, which the test moves on.
        var now: Date
        /// The requests by their `Req-Num`, in the order of their arrival.
        var requests: [(number: Int, request: OriginRequest)] = []
        /// The validators of the latest answer.
        var validators: [String: String] = [:]
    }

    private final class Runs: Sendable {
        let runs = Mutex<[String: Run]>([:])
    }

    private let origin: LoopbackOrigin
    private let runs = Runs()

    init() throws {
        origin = try LoopbackOrigin()
        origin.fallback = { [runs] request in
            let parts = request.path.split(separator: "/")
            guard parts.count > 1, let number = request.header("req-num").flatMap({ Int($0) }) else { return nil }
            return runs.runs.withLock { $0[String(parts[1])]?.answer(request, number) }
        }
    }

    func begin(_ test: HTTPCacheCorpus.Test, at now: Date) {
        runs.runs.withLock { $0[test.id] = Run(test: test, now: now) }
    }

    func setDate(of test: HTTPCacheCorpus.Test, to now: Date) { runs.runs.withLock { $0[test.id]?.now = now } }

    func end(_ test: HTTPCacheCorpus.Test) -> Run? { runs.runs.withLock { $0.removeValue(forKey: test.id) } }

    func url(of exchange: HTTPCacheCorpus.Exchange, in test: HTTPCacheCorpus.Test) -> URL {
        let file = exchange.fileName.map { "/\($0)" } ?? ""
        return origin.url("/test/\(test.id)\(file)\(exchange.query.map { "?\($0)" } ?? "")")
    }
}

extension HTTPCacheTestOrigin.Run {
    fileprivate mutating func answer(_ request: OriginRequest, _ number: Int) -> OriginResponse? {
        guard test.exchanges.indices.contains(number - 1) else { return nil }
        let exchange = test.exchanges[number - 1]
        requests.append((number, request))
        if exchange.disconnects { return .raw(Data()) }
        let status = status(of: exchange, for: request)
        var head = "HTTP/1.1 \(status.code) \(status.reason)\r\nServer-Request-Count: \(requests.count)\r\n"
        head += "Client-Request-Count: \(number)\r\nServer-Now: \(now.httpDate)\r\n"
        validators = [:]
        for field in exchange.responseHeaders {
            let value = value(of: field, exchange, request)
            head += "\(field.name): \(value)\r\n"
            validators[field.name.lowercased()] = value
        }
        return .raw(Data((head + "\r\n" + body(of: exchange, status.code)).utf8))
    }

    private func status(
        of exchange: HTTPCacheCorpus.Exchange, for request: OriginRequest
    ) -> (code: Int, reason: String) {
        guard exchange.expectation?.isValidation == true else { return exchange.status ?? (200, "OK") }
        let isCurrent = [("etag", "if-none-match"), ("last-modified", "if-modified-since")].contains { stored, asked in
            validators[stored] != nil && validators[stored] == request.header(asked)
        }
        return isCurrent ? (304, "Not Modified") : (999, "304 Not Generated")
    }

    private func value(
        of field: HTTPCacheCorpus.Field, _ exchange: HTTPCacheCorpus.Exchange, _ request: OriginRequest
    ) -> String {
        let value = field.value(at: now)
        guard exchange.locationsAreRelative, field.name.lowercased().hasSuffix("location") else { return value }
        return value.isEmpty ? request.path : "/test/\(test.id)/\(value)"
    }

    private func body(of exchange: HTTPCacheCorpus.Exchange, _ status: Int) -> String {
        if status == 204 || status == 304 { return "" }
        if case .stated(let text?) = exchange.responseBody { return text }
        return test.id
    }
}
