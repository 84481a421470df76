import FoundationEssentials
import Synchronization

/// The state that the server's threads share with the test: routes, and the record of requests.
final class OriginCore: Sendable {
    struct Log: Sendable {
        var requests: [OriginRequest] = []
        var connectionCount = 0
    }

    let routes = Mutex(OriginRoutes())
    let log = Observed(Log())
    let stopping = Gate()

    /// Records a request, numbers it, and takes its response, atomically: a test that sees the request knows that the
    /// next one gets the next response.
    func record(
        _ exchange: OriginExchange, method: String, headers: [String: String]
    ) -> (request: OriginRequest, answer: OriginRoutes.Answer?) {
        let parts = exchange.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (connection, body) = (exchange.connectionNumber, exchange.upload)
        return log.update { log in
            let request = OriginRequest(
                number: log.requests.count + 1, connectionNumber: connection, method: method,
                path: String(parts.first ?? "/"), query: parts.count > 1 ? String(parts[1]) : nil, headers: headers,
                body: body)
            log.requests.append(request)
            return (request, routes.withLock { $0.answer(to: request) })
        }
    }

    func response(to request: OriginRequest, by answer: OriginRoutes.Answer?) -> OriginResponse {
        let response: OriginResponse? =
            switch answer {
            case .response(let response): response
            case .handler(let handler): handler(request)
            case nil: nil
            }
        return response?.resolved(for: request)
            ?? .text("This origin serves nothing at \(request.target).\n", status: 404)
    }

    func end(requestNumber: Int, as ending: OriginEnding) {
        log.update { $0.requests[requestNumber - 1].ending = ending }
    }

    /// Counts and numbers a connection.
    func connect() -> Int {
        log.update { log in
            log.connectionCount += 1
            return log.connectionCount
        }
    }
}

/// One request in the server. Only its connection's thread uses it.
final class OriginExchange {
    let target: String
    let connectionNumber: Int
    var isHeadSeen = false
    var upload = Data()
    var requestNumber: Int?
    /// Set when the script knows better than libmicrohttpd how the exchange ended.
    var ending: OriginEnding?

    init(target: String, connectionNumber: Int) {
        self.target = target
        self.connectionNumber = connectionNumber
    }
}
