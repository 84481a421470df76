import WebImage

/// Work that blocks its thread for long, which the threads of Swift's tasks must not do.
enum LongWork {
    /// Runs `work` on a Dispatch thread.
    ///
    /// - Parameters:
    ///   - queue: Limits how much runs at a time; nil for no limit.
    ///   - work: Gets a flag that is raised when the task is cancelled, as by Control-C.
    static func run<Value: Sendable>(
        on queue: JobQueue? = nil, _ work: @escaping @Sendable (CancellationFlag) throws(WebImageError) -> Value
    ) async throws(WebImageError) -> Value {
        let queue = queue ?? JobQueue(label: "webimage.work", limit: 1)
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit {
                    continuation.resume(returning: Result { () throws(WebImageError) in try work(cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }.get()
    }
}
