import Dispatch
import Testing

/// Runs tests that keep a processor busy for seconds on a thread of their own, one after the other.
///
/// Tests share the few threads of Swift's pool with everything that they start; where files by the hundred are decoded on
/// these, loads of other tests come to a standstill, and servers give up.
public struct ProcessorBound: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(OwnThread.shared) { try await function() }
    }
}

extension Trait where Self == ProcessorBound {
    /// The test keeps a processor busy for seconds.
    public static var processorBound: Self { Self() }
}

private final class OwnThread: TaskExecutor {
    static let shared = OwnThread()

    private let queue = DispatchQueue(label: "WebImage.tests.processor-bound")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
