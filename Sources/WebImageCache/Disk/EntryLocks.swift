import Synchronization

/// Serializes the changes of each entry, so that the index agrees with the file. Changes of different entries nearly
/// always run concurrently.
final class EntryLocks: Sendable {
    private final class Stripe: Sendable {
        let lock = Mutex(())
    }

    private let stripes = (0..<64).map { _ in Stripe() }

    func withLock<Result, Failure: Error>(
        _ name: DiskEntryName, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try stripe(of: name).lock.withLock { _ throws(Failure) in try body() }
    }

    /// Does nothing while another thread holds the lock.
    func withLockIfFree(_ name: DiskEntryName, _ body: () -> Void) {
        _ = stripe(of: name).lock.withLockIfAvailable { _ in body() }
    }

    private func stripe(of name: DiskEntryName) -> Stripe { stripes[Int(name.directory) % stripes.count] }
}
