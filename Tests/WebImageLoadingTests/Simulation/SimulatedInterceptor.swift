import FoundationEssentials
import WebImageCore
import WebImageLoading

/// Intercepts each load as its wish says, and checks that it is called once.
struct SimulatedInterceptor: LoadInterceptor {
    enum Deed: CaseIterable {
        /// It lets the load go on.
        case none
        case rewrite
        case refuse
        /// With a picture of its own.
        case answer
        case retry
        /// For the second of two pictures.
        case twice
        /// It never ends.
        case hang

        /// Whether the loader may be asked more than once.
        var asksOften: Bool { self == .retry || self == .twice }
        /// Whether it may run out of time.
        var takesOver: Bool { asksOften || self == .hang }
    }

    static let refusal = WebImageError.Code(rawValue: 10_001)
    let schedule: any Schedule

    func intercept(_ request: ImageRequest) -> LoadInterception {
        schedule.interleave()
        guard let asked = request.context[SimulatedRequest.Key.self] else { return .proceed(request) }
        switch asked.wish.interception {
        case .none: return .proceed(request)
        case .rewrite:
            var request = request
            request.context.httpHeaders["x-rewritten"] = "yes"
            return .proceed(request)
        case .refuse: return .finish(.failure(Self.refused))
        case .answer: return .finish(Result { () throws(WebImageError) in try Self.answer(to: asked) })
        case .retry:
            return .around { chain throws(WebImageError) in
                do throws(WebImageError) {
                    return try await chain.proceed()
                } catch {
                    guard error.kind == .transient else { throw error }
                    return try await chain.proceed()
                }
            }
        case .twice:
            return .around { chain throws(WebImageError) in
                _ = try await chain.proceed()
                return try await chain.proceed()
            }
        case .hang:
            return .around { _ throws(WebImageError) in
                await Self.waitForCancellation()
                throw .cancelled()
            }
        }
    }

    private static let refused = WebImageError(refusal, stage: .request, kind: .policy, reason: "refused")

    private static func answer(to request: SimulatedRequest) throws(WebImageError) -> LoadResult {
        let picture = SimulatedPicture(address: request.wish.address, version: 0)
        return LoadResult(
            image: try picture.image(), cacheType: .noCache, url: SimulatedLoader.url(request.wish.address))
    }

    private static func waitForCancellation() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }
}

/// Lets nothing be loaded while the server says so.
final class SimulatedDelegate: WebImageManagerDelegate {
    private let schedule: any Schedule
    private let server: SimulatedServer

    init(_ schedule: any Schedule, _ server: SimulatedServer) {
        self.schedule = schedule
        self.server = server
    }

    func shouldDownloadImage(for url: URL) -> Bool {
        schedule.interleave()
        return !server.isRefusing
    }
}
