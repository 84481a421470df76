/// Something under way that can be stopped.
public protocol CancellableTask: AnyObject, Sendable {
    /// Asks the work to stop. Idempotent, any thread, never blocks. What was promised to call back still does, once.
    func cancel()
}
