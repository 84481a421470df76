import Synchronization

/// What the loads of one manager share.
final class SharedStages: Sendable {
    /// Decodes, transforms and encodes.
    let queue: JobQueue
    let decodes: SharedJobPool<DecodeKey, DecodeStage.Outcome>
    let transforms: SharedJobPool<TransformKey, DecodedImage>
    let running = RunningOperations()
    let failedURLs = FailedURLs()
    let warnings = Warnings()
    private let lastNumber = Atomic<UInt64>(0)

    init(queue: JobQueue) {
        self.queue = queue
        decodes = SharedJobPool(queue: queue)
        transforms = SharedJobPool(queue: queue)
    }

    /// A number that it never gave before.
    func makeNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }
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

extension JobQueue {
    /// Decoding, transforming and encoding of all managers together: as many at a time as there are processors.
    package static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)
}
