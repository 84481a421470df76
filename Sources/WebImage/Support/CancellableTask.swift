/// Running work that can be cancelled.
public protocol CancellableTask: AnyObject, Sendable {
    /// Requests the end of the work. Idempotent, any thread, never blocks. A promised callback is still called, once.
    func cancel()
}
