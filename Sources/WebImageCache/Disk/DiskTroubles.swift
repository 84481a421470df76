import Synchronization
import WebImageCore

/// The warnings of a disk cache. An app works without a disk cache, so each kind of trouble is logged once, and not for
/// each picture.
final class DiskTroubles: Sendable {
    private enum Kind: Hashable {
        /// The system's `errno` for the file of an entry.
        case refusal(Int32)
        case damage
        case largeEntry
        /// Has its own kinds: what a file of the index lacks says nothing of the entries, and hides no warning of them.
        case index(FileSystemError.Operation, code: Int32)
        case damagedIndex
    }

    private let warn: @Sendable (String) -> Void
    private let told = Mutex<Set<Kind>>([])

    init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// - Returns: The error for the caller to throw.
    func tell(_ error: FileSystemError, stage: WebImageError.Stage) -> WebImageError {
        let detailed = error.webImageError(stage: stage)
        tell(.refusal(error.code)) { "\(error.operation.consequence): \(detailed)" }
        return detailed
    }

    func tellDamage(at path: String) {
        tell(.damage) {
            "a damaged cache entry is ignored and the picture is loaded again: \(path.abbreviated(to: 300)); if this "
                + "repeats, check the disk"
        }
    }

    /// - Returns: The error for the caller to throw.
    func tellOfLargeEntry(_ key: CacheKey, _ byteCount: Int, limit: Int) -> WebImageError {
        let error = WebImageError(
            .limitExceeded, stage: .store, kind: .policy,
            reason: "\(key) is not kept on disk: it has \(byteCount) bytes, and an entry may have \(limit); raise "
                + "maxDiskEntrySize to keep it")
        tell(.largeEntry) { "a picture is loaded again each time that it leaves memory: \(error.reason)" }
        return error
    }

    /// - Parameter error: nil for damage.
    func tellOfIndex(_ message: String, because error: FileSystemError?) {
        tell(error.map { .index($0.operation, code: $0.code) } ?? .damagedIndex) { message }
    }

    func tellOfOwner(_ message: String) { warn(message) }

    private func tell(_ kind: Kind, _ message: () -> String) {
        guard told.withLock({ $0.insert(kind).inserted }) else { return }
        warn(message())
    }
}

extension FileSystemError.Operation {
    fileprivate var consequence: String {
        switch self {
        case .read, .list, .status: "pictures in the disk cache cannot be read"
        case .remove: "pictures cannot be removed from the disk cache"
        default: "pictures are not cached on disk"
        }
    }
}
