import Synchronization

/// What the loads of one manager share.
final class SharedStages: Sendable {
    let work: PixelWork
    /// Measures how long a partial picture stands.
    let clock: any Clock<Duration>
    /// Where that is waited for; nil takes Swift's own.
    let taskExecutor: (any TaskExecutor)?
    let running = RunningOperations()
    let failedURLs = FailedURLs()
    let warnings = Warnings()
    let writeOrder = WriteOrder()
    let backlog: WriteBacklog

    init(
        work: PixelWork = .shared, clock: any Clock<Duration> = ContinuousClock(),
        taskExecutor: (any TaskExecutor)? = nil, backlog: WriteBacklog = .shared
    ) {
        self.work = work
        self.backlog = backlog
        self.clock = clock
        self.taskExecutor = taskExecutor
    }

    /// Decodes, transforms and encodes.
    var queue: JobQueue { work.queue }
    var decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome> { work.decodes }
    var transforms: SharedJobPool<TransformKey, DecodedImage> { work.transforms }
}

/// Decodes and transforms under way: of all managers together, since their keys name all that counts. A prefetcher's
/// manager must not decode what a view's is decoding already.
final class PixelWork: Sendable {
    static let shared = PixelWork(queue: .decoding)

    let queue: JobQueue
    let decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome>
    let transforms: SharedJobPool<TransformKey, DecodedImage>

    /// - Parameter queue: Work that runs on a queue of its own is shared with nobody else's.
    init(queue: JobQueue) {
        self.queue = queue
        decodes = SharedJobPool(queue: queue)
        transforms = SharedJobPool(queue: queue)
    }
}

/// Warnings that are worth a line each, not a line for each picture.
final class Warnings: Sendable {
    private let subjects = Mutex<Set<String>>([])
    /// Subjects that are remembered; what comes after them is not warned of.
    private static let largestCount = 100

    /// Warns unless it has warned about `subject` before.
    func warnOnce(about subject: String, _ message: @autoclosure () -> String) {
        let isNew = subjects.withLock { $0.count < Self.largestCount && $0.insert(subject).inserted }
        if isNew { WebImageLog.warn(message()) }
    }
}
