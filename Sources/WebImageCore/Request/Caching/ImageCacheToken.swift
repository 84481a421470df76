/// A running query.
public final class ImageCacheToken: CancellableTask {
    /// The key of the query.
    public let key: CacheKey
    private let task: any CancellableTask

    /// A token that cancels `task`.
    public init(key: CacheKey, task: any CancellableTask) {
        self.key = key
        self.task = task
    }

    /// Ends the query: its completion gets ``WebImageError/Code/cancelled``, once, on its callback queue, at once where
    /// that allows. Reading and decoding stop, unless another query or load waits for the same. Idempotent; any thread.
    public func cancel() { task.cancel() }
}
