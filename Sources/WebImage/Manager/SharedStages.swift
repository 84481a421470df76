import Synchronization

/// What the loads of one manager share.
final class SharedStages: Sendable {
    let decodes = SharedJobPool<DecodeKey, DecodeStage.Outcome>(queue: .decoding)
    let transforms = SharedJobPool<TransformKey, DecodedImage>(queue: .decoding)
    let encodeQueue = JobQueue.decoding
    let running = RunningOperations()
    let failedURLs = FailedURLs()
    let warnings = Warnings()
    private let lastNumber = Atomic<UInt64>(0)

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
    static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)
}
