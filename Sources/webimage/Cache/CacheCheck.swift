import WebImage
import WebImageCommandLine

/// `webimage cache verify`: reads every file and reports what is wrong.
struct CacheCheck {
    let repairs: Bool

    private struct ProblemRecord: Encodable {
        let problem: String
        let path: String
        let removed: Bool
    }

    private struct SummaryRecord: Encodable {
        let directory: String
        let entries: Int
        let bytes: Int
        let problems: Int
        let removed: Int
    }

    /// - Returns: Whether nothing is wrong any more.
    func run(_ cache: DiskCache, by teller: CacheTeller) throws(WebImageError) -> Bool {
        var isRight = true
        let found = try cache.verify(repairing: repairs) { problem in
            if !problem.isRemoved, problem.kind.doesHarm { isRight = false }
            tell(problem, by: teller)
        }
        guard !Task.isCancelled else { return false }
        let record = SummaryRecord(
            directory: cache.directory, entries: found.entryCount, bytes: found.byteCount, problems: found.problemCount,
            removed: found.removedCount)
        let usage = DiskCacheUsage(count: found.entryCount, byteCount: found.byteCount)
        teller.tell(record) {
            "\(cache.directory.printable): \(usage.text) whole, \(found.problemCount) "
                + "\(found.problemCount == 1 ? "problem" : "problems"), \(found.removedCount) removed"
        }
        return isRight
    }

    private func tell(_ problem: DiskCacheProblem, by teller: CacheTeller) {
        let record = ProblemRecord(problem: problem.kind.rawValue, path: problem.path, removed: problem.isRemoved)
        teller.tell(record) {
            "\(problem.path.withoutControls): \(problem.kind.text)\(problem.isRemoved ? ", removed" : "")"
        }
    }
}

extension DiskCacheProblem.Kind {
    /// Files that are not the cache's stay beside its own; what is left half written is removed by the next listing.
    fileprivate var doesHarm: Bool {
        switch self {
        case .damaged, .unreadable, .obstacle: true
        case .leftOver, .foreign: false
        }
    }

    fileprivate var text: String {
        switch self {
        case .damaged: "damaged"
        case .leftOver: "left half written"
        case .unreadable: "cannot be read"
        case .obstacle: "in the place of what the cache has there"
        case .foreign: "not the cache's own"
        }
    }
}
