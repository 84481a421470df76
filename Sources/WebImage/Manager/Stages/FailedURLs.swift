import FoundationEssentials
import Synchronization

/// The URLs that failed in a way that will not mend itself.
final class FailedURLs: Sendable {
    private let failures = Mutex<[URL: WebImageError]>([:])
    private let isEmpty = Atomic(true)
    /// A program that meets more of them forgets some, and asks for those again.
    private static let largestCount = 10_000

    /// Why `url` failed; nil when it has not.
    subscript(url: URL) -> WebImageError? {
        // Nearly always there is none, and a URL takes its time to hash.
        isEmpty.load(ordering: .relaxed) ? nil : failures.withLock { $0[url] }
    }

    // What an error holds may be the app's own: it is let go outside the lock.
    func remove(_ url: URL) { _ = change { $0.removeValue(forKey: url) } }
    func removeAll() { _ = change { exchange(&$0, with: [:]) } }

    func insert(_ url: URL, _ error: WebImageError) {
        _ = change { failures in
            let isFull = failures.count >= Self.largestCount && failures[url] == nil
            let forgotten = isFull ? failures.remove(at: failures.startIndex).value : nil
            var error = error
            // Nobody asks for an old answer, and ten thousand of them are large.
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
