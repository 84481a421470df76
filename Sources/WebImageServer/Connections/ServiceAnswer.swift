import FoundationEssentials

/// An answer to a client.
struct ServiceAnswer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Data()

    init(status: Int, headers: [(name: String, value: String)] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text of one line.
    static func text(_ text: String, status: Int) -> ServiceAnswer {
        ServiceAnswer(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Data((text + "\n").utf8))
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The response of a handler: known at once, or work that it comes from.
enum ServiceResponse: Sendable {
    case now(ServiceAnswer)
    /// The connection waits without a thread.
    case later(@Sendable () async -> ServiceAnswer)
}
