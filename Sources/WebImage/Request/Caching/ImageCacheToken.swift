/// A query that is under way.
public final class ImageCacheToken: CancellableTask {
    /// What is looked for.
    public let key: CacheKey
    private let task: any CancellableTask

    /// A token that cancels `task`.
    public init(key: CacheKey, task: any CancellableTask) {
        self.key = key
        self.task = task
    }

    /// Ends the query: its completion gets ``WebImageError/Code/cancelled``, once, on its callback queue, at once where
    /// that allows. Reading and decoding stop, unless somebody else waits for the same. Idempotent; any thread.
    public func cancel() { task.cancel() }
}
