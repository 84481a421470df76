import Synchronization

/// Keeps two changes of one entry apart, so that the index says of it what the file does. Changes of different entries
/// nearly always go on side by side.
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
