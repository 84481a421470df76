import FoundationEssentials
import Synchronization

/// The URLs that failed in a way that will not mend itself.
final class FailedURLs: Sendable {
    private let urls = Mutex<Set<URL>>([])
    /// A program that meets more of them forgets some, and asks for those again.
    private static let largestCount = 10_000

    func contains(_ url: URL) -> Bool {
        // Nearly always there is none, and a URL takes its time to hash.
        urls.withLock { !$0.isEmpty && $0.contains(url) }
    }
    func remove(_ url: URL) { urls.withLock { _ = $0.remove(url) } }
    func removeAll() { urls.withLock { $0.removeAll() } }

    func insert(_ url: URL) {
        urls.withLock { urls in
            if urls.count >= Self.largestCount, !urls.contains(url) { urls.removeFirst() }
            urls.insert(url)
        }
    }
}
