import FoundationEssentials
import Synchronization

/// The state that the loads of one manager share.
final class SharedStages: Sendable {
    let work: PixelWork
    /// Measures how long a partial picture is shown.
    let clock: any Clock<Duration>
    /// The date, by which cached responses age.
    let now: @Sendable () -> Date
    /// Runs the waits for that; nil for Swift's default.
    let taskExecutor: (any TaskExecutor)?
    let running = RunningOperations()
    let failedURLs: FailedURLs
    let warnings = Warnings()
    let writeOrder = WriteOrder()
    let backlog: WriteBacklog

    init(
        work: PixelWork = .shared, clock: any Clock<Duration> = ContinuousClock(),
        taskExecutor: (any TaskExecutor)? = nil, backlog: WriteBacklog = .shared,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.work = work
        self.backlog = backlog
        self.clock = clock
        self.now = now
        failedURLs = FailedURLs(clock: clock)
        self.taskExecutor = taskExecutor
    }

    /// Decodes, transforms and encodes.
    var queue: JobQueue { work.queue }
    var decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome> { work.decodes }
    var transforms: SharedJobPool<TransformKey, TransformStage.Outcome> { work.transforms }
}

/// Running decodes and transforms of all managers together, since their keys contain all that matters. A prefetcher's
/// manager must not repeat the decode of a view's manager.
final class PixelWork: Sendable {
    static let shared = PixelWork(queue: .decoding)

    let queue: JobQueue
    let decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome>
    let transforms: SharedJobPool<TransformKey, TransformStage.Outcome>

    /// - Parameter queue: Work on a separate queue is not shared with other queues.
    init(queue: JobQueue) {
        self.queue = queue
        decodes = SharedJobPool(queue: queue)
        transforms = SharedJobPool(queue: queue)
    }
}

/// Warnings that are logged once, not for each picture.
final class Warnings: Sendable {
    private let subjects = Mutex<Set<String>>([])
    /// The most subjects that are remembered; later subjects are not logged.
    private static let largestCount = 100

    /// Warns unless it has warned about `subject` before.
    func warnOnce(about subject: String, _ message: @autoclosure () -> String) {
        let isNew = subjects.withLock { $0.count < Self.largestCount && $0.insert(subject).inserted }
        if isNew { WebImageLog.warn(message()) }
    }
}
