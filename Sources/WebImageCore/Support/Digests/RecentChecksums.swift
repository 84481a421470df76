import Synchronization

/// Remembers some checksums, for messages that are worth saying once. Any thread.
package final class RecentChecksums: Sendable {
    /// The latest last.
    private let known = Mutex<[UInt64]>([])
    private static let maximumCount = 256

    package init() {}

    /// - Returns: Whether it is new.
    package func insert(_ checksum: UInt64) -> Bool {
        known.withLock { known in
            guard !known.contains(checksum) else { return false }
            if known.count == Self.maximumCount { known.removeFirst() }
            known.append(checksum)
            return true
        }
    }
}
