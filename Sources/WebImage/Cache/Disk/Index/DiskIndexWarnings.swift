import Synchronization

/// What an app is to be told of an index. It is noted under locks and told outside of them: an app's handler may well use
/// the cache.
final class DiskIndexWarnings: Sendable {
    private typealias Warning = (message: String, error: FileSystemError?)

    private let warn: @Sendable (_ message: String, _ error: FileSystemError?) -> Void
    private let waiting = Mutex<[Warning]>([])
    // Looked at by each call of the cache.
    private let hasAny = Atomic(false)

    init(warn: @escaping @Sendable (_ message: String, _ error: FileSystemError?) -> Void) { self.warn = warn }

    /// Notes what is wrong, whatever locks are held.
    ///
    /// - Parameter error: nil for damage.
    func add(_ message: String, _ error: FileSystemError?) {
        waiting.withLock { $0.append((message, error)) }
        hasAny.store(true, ordering: .releasing)
    }

    var isEmpty: Bool { !hasAny.load(ordering: .acquiring) }

    /// Tells the app; not to be called where a lock is held.
    func tell() {
        guard !isEmpty else { return }
        let warnings = waiting.withLock { waiting in
            hasAny.store(false, ordering: .releasing)
            defer { waiting = [] }
            return waiting
        }
        for (message, error) in warnings { warn(message, error) }
    }
}
