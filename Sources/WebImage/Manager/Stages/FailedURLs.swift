import FoundationEssentials
import Synchronization

/// URLs with a permanent failure.
final class FailedURLs: Sendable {
    private let failures = Mutex<[URL: WebImageError]>([:])
    private let isEmpty = Atomic(true)
    /// Above this number some URLs are forgotten, and requested again.
    private static let largestCount = 10_000

    /// Why `url` failed; nil when it has not.
    subscript(url: URL) -> WebImageError? {
        // Nearly always there is none, and hashing a URL takes time.
        isEmpty.load(ordering: .relaxed) ? nil : failures.withLock { $0[url] }
    }

    // An error may retain objects of the app: it is released outside the lock.
    func remove(_ url: URL) { _ = change { $0.removeValue(forKey: url) } }
    func removeAll() { _ = change { exchange(&$0, with: [:]) } }

    func insert(_ url: URL, _ error: WebImageError) {
        _ = change { failures in
            let isFull = failures.count >= Self.largestCount && failures[url] == nil
            let forgotten = isFull ? failures.remove(at: failures.startIndex).value : nil
            var error = error
            // Old responses are not needed, and ten thousand of them take much memory.
            error.response = nil
            return (forgotten, failures.updateValue(error, forKey: url))
        }
    }

    private func change<Result: Sendable>(_ change: (inout [URL: WebImageError]) -> Result) -> Result {
        failures.withLock { failures in
            defer { isEmpty.store(failures.isEmpty, ordering: .relaxed) }
            return change(&failures)
        }
    }
}
