import FoundationEssentials
import Synchronization
import WebImageCore

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
    /// Decodes that took long, in vain.
    let failedDecodes: RecentFailures<DecodeKey>
    let warnings = Warnings()
    let writes: FileWrites

    init(
        work: PixelWork = .shared, clock: any Clock<Duration> = ContinuousClock(),
        taskExecutor: (any TaskExecutor)? = nil, writes: FileWrites = .shared,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.work = work
        self.writes = writes
        self.clock = clock
        self.now = now
        failedURLs = FailedURLs(clock: clock)
        failedDecodes = RecentFailures(
            clock: clock, timeToLive: FailedURLs.standardLifetime, largestCount: Self.mostFailedDecodes)
        self.taskExecutor = taskExecutor
    }

    private static let mostFailedDecodes = 1000

    /// Decodes, transforms and encodes.
    var queue: JobQueue { work.queue }
    var transforms: SharedJobPool<TransformKey, TransformStage.Outcome> { work.transforms }
}

/// Running decodes and transforms of all managers together, since their keys contain all that matters. A prefetcher's
/// manager must not repeat the decode of a view's manager.
final class PixelWork: Sendable {
    static let shared = PixelWork(queue: .decoding, uninterruptible: .uninterruptible)

    let queue: JobQueue
    private let decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome>
    private let uninterruptibleDecodes: SharedJobPool<DecodeKey, DecodeStage.Outcome>
    let transforms: SharedJobPool<TransformKey, TransformStage.Outcome>

    /// Work on a separate queue is not shared with other queues.
    ///
    /// - Parameter uninterruptible: The queue for decodes that cannot be interrupted; nil for the same.
    init(queue: JobQueue, uninterruptible: JobQueue? = nil) {
        self.queue = queue
        decodes = SharedJobPool(queue: queue)
        uninterruptibleDecodes = uninterruptible.map { SharedJobPool(queue: $0) } ?? decodes
        transforms = SharedJobPool(queue: queue)
    }

    /// The running decodes among which a coder's decode of `data` belongs.
    func decodes(of data: Data, by coder: any ImageCoder) -> SharedJobPool<DecodeKey, DecodeStage.Outcome> {
        coder.isUninterruptible(for: data) ? uninterruptibleDecodes : decodes
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
