import Synchronization

/// A one-way switch that long work looks at between rows.
public final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not raised.
    public init() {}

    /// True once anybody called ``cancel()``. Costs a plain read; any thread.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Raises the flag for good. Any thread.
    public func cancel() { flag.store(true, ordering: .relaxed) }
}
