/// What a load tells while it runs; failures are thrown.
public enum LoadEvent: Sendable {
    /// The picture from the cache, while a load with ``WebImageOptions/refreshCached`` asks whether it is still good.
    case cached(LoadResult)
    /// More bytes have come.
    case progress(LoadProgress)
    /// A part of the picture, of a load with ``WebImageOptions/progressiveLoad``.
    case partial(Image)
    /// The picture is there. Always last.
    case finished(LoadResult)
}

/// The events of one load: the picture in the cache, progress, partial pictures, then the picture. Failures are thrown.
///
/// A listener that comes late is told how far things are, and then what follows. One that is slower than the load misses
/// progress and partial pictures, never the end.
public struct LoadEvents: AsyncSequence, Sendable {
    let operation: LoadOperation
    /// Ends the load when nobody listens any more; nil for listeners that the load does not depend on.
    let ownership: LoadOwnership?

    /// Starts listening.
    public func makeAsyncIterator() -> Iterator {
        let mailbox = LoadEventMailbox()
        operation.add(mailbox)
        return Iterator(mailbox: mailbox, ownership: ownership)
    }

    /// Gives one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: LoadEventMailbox
        let ownership: LoadOwnership?

        /// The next event; nil after the last, and when the task is cancelled.
        public mutating func next() async throws(WebImageError) -> LoadEvent? {
            try await next(isolation: nil)
        }

        /// The next event; nil after the last, and when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WebImageError) -> LoadEvent? {
            try await mailbox.next()?.get()
        }
    }
}

/// Cancels a load when the last who holds it lets go.
final class LoadOwnership: Sendable {
    private let operation: LoadOperation

    init(_ operation: LoadOperation) { self.operation = operation }

    deinit { operation.cancel() }
}
