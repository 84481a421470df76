import Synchronization

/// A one-way flag that long work checks between rows.
public final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not raised.
    public init() {}

    /// True after the first ``cancel()``. Costs a plain read; any thread.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Raises the flag for good. Any thread.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Throws ``WebImageError/Code/cancelled`` once the flag is raised.
    public func check() throws(WebImageError) {
        if isCancelled { throw .cancelled() }
    }
}
