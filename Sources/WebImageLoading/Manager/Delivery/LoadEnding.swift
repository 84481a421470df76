import WebImageCore

/// The end of a load. A class: it is passed on many times, and a result has several references.
final class LoadEnding: Sendable {
    let outcome: Result<LoadResult, WebImageError>

    init(_ outcome: Result<LoadResult, WebImageError>) { self.outcome = outcome }

    var isFailure: Bool {
        if case .failure = outcome { return true }
        return false
    }
}
