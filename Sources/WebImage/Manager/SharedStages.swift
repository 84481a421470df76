import Synchronization

/// What the loads of one manager share, and what those of all managers do.
final class SharedStages: Sendable {
    // Of all managers together, since a key names all that counts: a prefetcher's manager must not decode what a view's
    // is decoding already.
    private static let allDecodes = SharedJobPool<DecodeKey, DecodeStage.Outcome>(queue: .decoding)
    private static let allTransforms = SharedJobPool<TransformKey, DecodedImage>(queue: .decoding)
    private static let lastNumber = Atomic<UInt64>(0)

    let decodes = SharedStages.allDecodes
    let transforms = SharedStages.allTransforms
    let encodeQueue = JobQueue.decoding
    let running = RunningOperations()
    let failedURLs = FailedURLs()
    let warnings = Warnings()

    /// A number that was never given before.
    func makeNumber() -> UInt64 { Self.lastNumber.add(1, ordering: .relaxed).newValue }
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
