import FoundationEssentials
import WebImageCore

/// The warnings of workers, once for each file: a worker does not know what others have said before it. Any thread.
final class WorkerWarnings: Sendable {
    static let shared = WorkerWarnings()

    private let known = RecentChecksums()
    private static let longestText = 1000

    func warn(_ text: String, about file: OutgoingBytes?) {
        let message = text.abbreviated(to: Self.longestText)
        let checksum = XXH3.checksum(of: Data(message.utf8).bytes) ^ (file?.checksum ?? 0)
        if known.insert(checksum) { WebImageLog.warn(message) }
    }
}
