import WebImageCore

/// An event of a running load. A sequence has all of them, and throws failures; the closure for pictures before the end gets
/// ``cached(_:)``, ``preview(_:)`` and ``partial(_:)`` only.
public enum LoadEvent: Sendable {
    /// The picture from the cache, while a load with ``WebImageOptions/refreshCached`` revalidates it.
    case cached(LoadResult)
    /// The small picture that stands for the large one, of a load with ``WebImageContext/preview``. At most one, and none
    /// after anything of the large picture.
    case preview(LoadResult)
    /// More bytes have arrived.
    case progress(LoadProgress)
    /// A partial picture, of a load with ``WebImageOptions/progressiveLoad``.
    case partial(Image)
    /// The final picture. Always last.
    case finished(LoadResult)
}

/// The events of one load: the picture in the cache, the preview, progress, partial pictures, then the picture. Failures are
/// thrown.
///
/// A listener that joins late gets the current state first, and then all that follows. A listener that is slower than
/// the load misses progress and partial pictures, never the end.
package struct LoadEvents: AsyncSequence, Sendable {
    let operation: LoadOperation
    /// Cancels the load with the last reference; nil for listeners that the load does not depend on.
    let ownership: LoadOwnership?

    /// Starts listening.
    package func makeAsyncIterator() -> Iterator {
        let mailbox = LoadEventMailbox()
        operation.add(mailbox)
        return Iterator(mailbox: mailbox, ownership: ownership)
    }

    /// Returns one event after the other.
    package struct Iterator: AsyncIteratorProtocol {
        let mailbox: LoadEventMailbox
        let ownership: LoadOwnership?

        /// The next event; nil after the last, and when the task is cancelled.
        package mutating func next() async throws(WebImageError) -> LoadEvent? {
            try await next(isolation: nil)
        }

        /// The next event; nil after the last, and when the task is cancelled.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WebImageError) -> LoadEvent? {
            try await mailbox.next()?.get()
        }
    }
}

/// Cancels a load when its last reference is released.
final class LoadOwnership: Sendable {
    private let operation: LoadOperation

    init(_ operation: LoadOperation) { self.operation = operation }

    deinit { operation.cancel() }
}
