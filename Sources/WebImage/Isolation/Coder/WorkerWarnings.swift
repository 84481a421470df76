import FoundationEssentials
import Synchronization

/// The warnings of workers, told once for each file: a worker does not know what others have said before it. Any
/// thread.
final class WorkerWarnings: Sendable {
    static let shared = WorkerWarnings()

    /// The checksums of the warnings, the latest last.
    private let known = Mutex<[UInt64]>([])
    private static let knownCount = 256
    private static let longestText = 1000

    func warn(_ text: String, about file: OutgoingBytes?) {
        let message = text.abbreviated(to: Self.longestText)
        let checksum = XXH3.checksum(of: Data(message.utf8).bytes) ^ (file?.checksum ?? 0)
        if isNew(checksum) { WebImageLog.warn(message) }
    }

    private func isNew(_ checksum: UInt64) -> Bool {
        known.withLock { known in
            guard !known.contains(checksum) else { return false }
            if known.count == Self.knownCount { known.removeFirst() }
            known.append(checksum)
            return true
        }
    }
}
