import FoundationEssentials
import Synchronization

/// The URLs that failed in a way that will not mend itself.
final class FailedURLs: Sendable {
    private let urls = Mutex<Set<URL>>([])

    func contains(_ url: URL) -> Bool { urls.withLock { $0.contains(url) } }
    func insert(_ url: URL) { urls.withLock { _ = $0.insert(url) } }
    func remove(_ url: URL) { urls.withLock { _ = $0.remove(url) } }
    func removeAll() { urls.withLock { $0.removeAll() } }
}
