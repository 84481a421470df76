import Foundation
import FoundationNetworking

/// FoundationNetworking's client, without its cache.
final class FoundationSession: Sendable {
    private let session: URLSession

    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration)
    }

    deinit { session.invalidateAndCancel() }

    /// As many at a time as there are connections: a session with thousands of tasks is slower still.
    func load(_ urls: [URL], byteCount: Int) async throws {
        let connections = session.configuration.httpMaximumConnectionsPerHost
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 0..<connections {
                group.addTask { [session] in
                    for index in stride(from: first, to: urls.count, by: connections) {
                        guard try await session.data(from: urls[index]).0.count == byteCount else {
                            throw BenchmarkError("a body of Foundation came short")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
