import WebImageCore

/// How long a worker may take for one answer, by the clock of its process and, since it may sleep or be stopped, by that
/// of the machine, which stands still while the machine sleeps.
struct WorkerWatch {
    private let worker: WorkerProcess
    private let limit: Duration
    private let workStart: Duration
    private let start = SuspendingClock.now

    /// Others may need the processor, too.
    private static let patience = 2

    init(_ worker: WorkerProcess, limits: ImageLimits) {
        self.worker = worker
        limit = limits.maximumDecodeDuration
        workStart = worker.processorTime ?? .zero
    }

    /// - Parameter start: When the worker was made: also one that says something now and then must end some time.
    static func hasLived(since start: SuspendingClock.Instant, tooLongFor limits: ImageLimits) -> Bool {
        SuspendingClock.now - start > .seconds(limits.workerAllowance.processorSeconds) * patience
    }

    /// Whether a worker may get another picture.
    ///
    /// - Parameter time: What it has used; nil where it has ended.
    static func hasTimeLeft(after time: Duration?, of allowance: WorkerAllowance) -> Bool {
        guard let time else { return false }
        return time * 2 <= .seconds(allowance.processorSeconds)
    }

    var isOver: Bool {
        let elapsed = SuspendingClock.now - start
        guard elapsed > limit else { return false }
        return elapsed > limit * Self.patience || (worker.processorTime ?? .zero) - workStart > limit
    }
}

extension ImageLimits {
    /// The resources that a worker may use in its life. The app limits the time of each of its answers; a worker that
    /// has answered, and is not asked any more, must end some time as well.
    var workerAllowance: WorkerAllowance {
        let seconds = max(1, min(maximumDecodeDuration.seconds, 1e6)) * Self.answersInALife
        return WorkerAllowance(memory: max(0, maximumDecodeMemory), processorSeconds: Int(seconds))
    }

    private static let answersInALife = 20.0
}
