import CGtk4
import Foundation

/// A few threads on which reading may block: phones and servers serve few readers at a time.
nonisolated struct PlaceQueue {
    /// Lists, pages and folders do not wait for pictures.
    static let sources = PlaceQueue()
    static let pictures = PlaceQueue()

    /// A place that no longer answers takes some of them until its calls are cancelled.
    static let threadCount = 6

    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = Self.threadCount
        queue.qualityOfService = .userInitiated
    }

    /// Runs `body` on one of the threads, with what ends its calls when the task is cancelled.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (Cancellable) throws(SourceProblem) -> Value
    ) async -> Result<Value, SourceProblem> {
        let cancellable = Cancellable()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation {
                    let result = Result { () throws(SourceProblem) in try body(cancellable) }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancellable.cancel()
        }
    }
}

/// Ends a call of GIO from another thread.
///
/// `@unchecked Sendable`: GCancellable may be used on all threads.
nonisolated final class Cancellable: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()
    func cancel() { g_cancellable_cancel(pointer) }
    var isCancelled: Bool { g_cancellable_is_cancelled(pointer) != 0 }
    deinit { if let pointer { g_object_unref(pointer) } }
}
