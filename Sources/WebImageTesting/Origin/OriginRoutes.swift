/// The responses of each target: the table behind ``LoopbackOrigin/serve(_:_:)``.
struct OriginRoutes: Sendable {
    enum Answer: Sendable {
        case response(OriginResponse)
        case handler(LoopbackOrigin.Handler)
    }

    private struct Turns: Sendable {
        var responses: [OriginResponse]
        var next = 0

        mutating func take() -> OriginResponse? {
            defer { next = min(next + 1, responses.count - 1) }
            return responses.indices.contains(next) ? responses[next] : nil
        }
    }

    private enum Route: Sendable {
        case turns(Turns)
        case handler(LoopbackOrigin.Handler)
    }

    private var routes: [String: Route] = [:]
    var fallback: LoopbackOrigin.Handler?

    mutating func set(_ target: String, responses: [OriginResponse]) {
        routes[target] = responses.isEmpty ? nil : .turns(Turns(responses: responses))
    }

    mutating func set(_ target: String, handler: @escaping LoopbackOrigin.Handler) {
        routes[target] = .handler(handler)
    }

    /// Takes the next response: for the whole target, else for the path alone, else from the fallback.
    mutating func answer(to request: OriginRequest) -> Answer? {
        for key in [request.target, request.path] {
            switch routes[key] {
            case .handler(let handler): return .handler(handler)
            case .turns(var turns):
                guard let response = turns.take() else { continue }
                routes[key] = .turns(turns)
                return .response(response)
            case nil: continue
            }
        }
        return fallback.map(Answer.handler)
    }
}
