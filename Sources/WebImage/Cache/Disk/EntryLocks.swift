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
        let stripe = stripes[Int(name.directory) % stripes.count]
        return try stripe.lock.withLock { _ throws(Failure) in try body() }
    }
}
