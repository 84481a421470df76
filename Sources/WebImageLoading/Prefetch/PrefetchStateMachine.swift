import WebImageCore

/// The rules of a prefetcher as a state machine: takes events, returns actions.
///
/// Every batch ends exactly once, because only this value ends it, and then forgets it; later events for it are
/// ignored.
struct PrefetchStateMachine {
    /// Identifies one call of `prefetch`.
    typealias Batch = UInt64

    /// One picture of one batch.
    struct Job: Hashable {
        let batch: Batch
        let index: Int
    }

    enum Event {
        /// A batch of `count` pictures, at least one. Its urgent ones are loaded before those of other batches, and
        /// keep their priority when the prefetcher's changes.
        case added(Batch, count: Int, urgent: Set<Int>)
        case ended(Job, isSkipped: Bool)
        case cancelled(Batch)
        /// Pictures that have not begun are not needed any more; the others continue.
        case withdrawn(Batch)
        case paused(Bool)
        case limited(Int)
        case prioritized(LoadPriority)
    }

    enum Action: Equatable {
        case start(Job, LoadPriority)
        case stop(Job)
        case setPriority(Job, LoadPriority)
        case tell(News)
    }

    /// A report of a batch's progress.
    struct News: Equatable {
        let batch: Batch
        /// The index of the picture that has ended; nil where a cancellation ended several at once.
        let index: Int?
        let progress: PrefetchProgress
        /// The totals of all running batches, this one included.
        let totals: PrefetchProgress
        /// Whether this was the last running batch.
        let isLast: Bool
    }

    private enum Phase {
        case waiting(WaitingTicket)
        case running
    }

    private struct Pending {
        var phase: Phase
        let isUrgent: Bool
    }

    private struct BatchState {
        var progress: PrefetchProgress
        var jobs: [Int: Pending] = [:]
    }

    private var batches: [Batch: BatchState] = [:]
    private var waiting = WaitingList<Job>()
    private var runningCount = 0
    private(set) var totals = PrefetchProgress()
    private(set) var limit: Int
    private(set) var priority: LoadPriority
    private(set) var isPaused = false

    init(limit: Int, priority: LoadPriority) {
        self.limit = max(1, limit)
        self.priority = priority
    }

    var batchCount: Int { batches.count }

    /// Returns the actions for an event, in order.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .added(let batch, let count, let urgent):
            add(batch, count: count, urgent: urgent)
            return startWaiting()
        case .ended(let job, let isSkipped):
            guard let news = end(job, isSkipped: isSkipped) else { return [] }
            return [.tell(news)] + startWaiting()
        case .cancelled(let batch):
            return cancel(batch) + startWaiting()
        case .withdrawn(let batch):
            return withdraw(batch)
        case .paused(let isPaused):
            self.isPaused = isPaused
            return startWaiting()
        case .limited(let limit):
            self.limit = max(1, limit)
            return startWaiting()
        case .prioritized(let priority):
            self.priority = priority
            return reprioritize()
        }
    }
}

// MARK: - Beginnings

extension PrefetchStateMachine {
    private mutating func add(_ batch: Batch, count: Int, urgent: Set<Int>) {
        var state = BatchState(progress: PrefetchProgress(totalCount: count))
        for index in 0..<count {
            let isUrgent = urgent.contains(index)
            let ticket = waiting.append(Job(batch: batch, index: index), priority: isUrgent ? .high : priority)
            state.jobs[index] = Pending(phase: .waiting(ticket), isUrgent: isUrgent)
        }
        batches[batch] = state
        totals.add(state.progress)
    }

    private mutating func startWaiting() -> [Action] {
        var actions: [Action] = []
        while !isPaused, runningCount < limit, let job = waiting.popOldest() {
            guard let isUrgent = batches[job.batch]?.jobs[job.index]?.isUrgent else { continue }
            batches[job.batch]?.jobs[job.index]?.phase = .running
            runningCount += 1
            actions.append(.start(job, isUrgent ? .high : priority))
        }
        return actions
    }

    private mutating func reprioritize() -> [Action] {
        var actions: [Action] = []
        for (batch, state) in batches.sorted(by: { $0.key < $1.key }) {
            for (index, job) in state.jobs.sorted(by: { $0.key < $1.key }) where !job.isUrgent {
                switch job.phase {
                case .waiting(let ticket): waiting.move(ticket, to: priority)
                case .running: actions.append(.setPriority(Job(batch: batch, index: index), priority))
                }
            }
        }
        return actions
    }
}

// MARK: - Endings

extension PrefetchStateMachine {
    private mutating func end(_ job: Job, isSkipped: Bool) -> News? {
        guard let pending = batches[job.batch]?.jobs.removeValue(forKey: job.index) else { return nil }
        release(pending)
        return count(1, skipped: isSkipped ? 1 : 0, of: job.batch, index: job.index)
    }

    private mutating func cancel(_ batch: Batch) -> [Action] {
        guard let jobs = batches[batch]?.jobs else { return [] }
        var stops: [Action] = []
        for (index, pending) in jobs.sorted(by: { $0.key < $1.key }) {
            if release(pending) { stops.append(.stop(Job(batch: batch, index: index))) }
        }
        batches[batch]?.jobs = [:]
        return stops + (count(jobs.count, skipped: jobs.count, of: batch).map { [.tell($0)] } ?? [])
    }

    private mutating func withdraw(_ batch: Batch) -> [Action] {
        guard let jobs = batches[batch]?.jobs else { return [] }
        var count = 0
        for (index, pending) in jobs {
            guard case .waiting = pending.phase else { continue }
            release(pending)
            batches[batch]?.jobs[index] = nil
            count += 1
        }
        guard count > 0 else { return [] }
        return self.count(count, skipped: count, of: batch).map { [.tell($0)] } ?? []
    }

    /// Releases a job's slot; true when it was running.
    @discardableResult
    private mutating func release(_ job: Pending) -> Bool {
        switch job.phase {
        case .waiting(let ticket):
            _ = waiting.remove(ticket)
            return false
        case .running:
            runningCount -= 1
            return true
        }
    }

    /// Counts ended pictures, and forgets a batch after its last one.
    private mutating func count(_ finished: Int, skipped: Int, of batch: Batch, index: Int? = nil) -> News? {
        guard var state = batches[batch] else { return nil }
        let step = PrefetchProgress(finishedCount: finished, skippedCount: skipped)
        state.progress.add(step)
        totals.add(step)
        let totals = totals
        batches[batch] = state.progress.isFinished ? nil : state
        if state.progress.isFinished { self.totals.subtract(state.progress) }
        return News(
            batch: batch, index: index, progress: state.progress, totals: totals, isLast: batches.isEmpty)
    }
}
