/// How a load ends. A class: it goes through many hands, and a result is a handful of references.
final class LoadEnding: Sendable {
    let outcome: Result<LoadResult, WebImageError>

    init(_ outcome: Result<LoadResult, WebImageError>) { self.outcome = outcome }

    var isFailure: Bool {
        if case .failure = outcome { return true }
        return false
    }
}
