import FoundationEssentials
import WebImageCore

/// The addresses of one picture, in the order in which they are tried.
///
/// A picture that a cache has comes before all that must be loaded: memory first, then the disk, each in the order of the
/// addresses. Each address has its own keys and its own stages, as if it were loaded alone.
struct AlternativeSources: Sendable {
    /// A request for each address.
    let requests: [ImageRequest]

    /// nil for a request with one address.
    init?(_ request: ImageRequest) {
        let alternatives = request.context.alternativeURLs
        guard !alternatives.isEmpty else { return nil }
        requests = ([request.url] + alternatives).map { url in
            var single = request
            single.url = url
            single.context.alternativeURLs = []
            return single
        }
    }

    /// Loads the first picture that any address has.
    ///
    /// - Throws: ``WebImageError/Code/allSourcesFailed``, or a cancellation.
    func load(_ chain: LoadChain) async throws(WebImageError) -> LoadResult {
        var failures: [WebImageError] = []
        for request in try await cachedFirst(chain) {
            do throws(WebImageError) {
                return try await chain.proceed(with: request)
            } catch {
                guard !error.isCancelled, !Task.isCancelled else { throw error }
                failures.append(error)
            }
        }
        throw .allSourcesFailed(failures, requests.first?.url)
    }

    /// The requests, and before the others the first one whose picture is on disk.
    private func cachedFirst(_ chain: LoadChain) async throws(WebImageError) -> [ImageRequest] {
        guard let options = requests.first?.options, options.isDisjoint(with: [.fromLoaderOnly, .fromCacheOnly]) else {
            return requests
        }
        for (index, request) in requests.enumerated() where await isCached(request, chain) {
            return [request] + requests[..<index] + requests[(index + 1)...]
        }
        guard !Task.isCancelled else { throw .cancelled(url: requests.first?.url) }
        return requests
    }

    /// Brings the picture of `request` into memory if the disk has it.
    private func isCached(_ request: ImageRequest, _ chain: LoadChain) async -> Bool {
        var query = request
        query.options.insert(.fromCacheOnly)
        query.options.remove(.refreshCached)
        return (try? await chain.proceed(with: query)) != nil
    }
}

extension WebImageError {
    /// The failures of all addresses of a load with alternatives, in the order in which they were tried; empty for other
    /// loads.
    public var sourceFailures: [WebImageError] { (underlying as? SourceFailures)?.errors ?? [] }

    /// It is transient if that is true of any address.
    fileprivate static func allSourcesFailed(_ failures: [WebImageError], _ url: URL?) -> WebImageError {
        let kind = failures.contains { $0.kind == .transient } ? .transient : failures.first?.kind ?? .permanent
        let list = failures.map(\.description).joined(separator: "; ")
        return WebImageError(
            .allSourcesFailed, stage: failures.last?.stage ?? .load, kind: kind,
            reason: "none of its \(failures.count) addresses has a picture (\(list))", url: url,
            statusCode: failures.first?.statusCode, underlying: SourceFailures(errors: failures))
    }
}

private struct SourceFailures: Error {
    let errors: [WebImageError]
}
