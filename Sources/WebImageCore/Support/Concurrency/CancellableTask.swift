/// Running work that can be cancelled: the load of a loader, the query of a cache, a decode.
public protocol CancellableTask: AnyObject, Sendable {
    /// Requests the end of the work. Idempotent, any thread, never blocks. A promised callback is still called, once.
    func cancel()

    /// Changes the priority of the work while it waits. Any thread, never blocks. Does nothing by default.
    func setPriority(_ priority: LoadPriority)
}

extension CancellableTask {
    /// Does nothing: the work has no priority.
    public func setPriority(_ priority: LoadPriority) {}
}
