import CLinux
import Dispatch
import Synchronization
import WebImage

/// Delivers results from any thread to the main loop: many with one hop, and only as many per frame as its time budget
/// allows, those for visible widgets first.
///
/// Dispatch drains its main queue to the end, so a burst of results would delay the next frame until all of them were
/// delivered.
nonisolated final class CompletionPump: Sendable {
    typealias Job = @Sendable () -> Void
    /// Runs a job on the main thread after a delay in nanoseconds; at once, but never inline, for zero.
    typealias Scheduler = @Sendable (_ delay: UInt64, _ job: @escaping Job) -> Void

    static let shared = CompletionPump()

    /// The number of jobs for visible widgets that may come before an older one for another widget.
    private static let mostOvertaking = 7

    /// The results for one widget, which are delivered in order.
    final class Lane: Sendable {
        /// The number of times that a widget has become visible.
        fileprivate static let appearances = Atomic(0)
        private let isVisible = Atomic(true)

        /// Whether the widget is visible.
        var isSeen: Bool {
            get { isVisible.load(ordering: .relaxed) }
            set {
                let former = isVisible.exchange(newValue, ordering: .relaxed)
                if newValue, !former { Self.appearances.add(1, ordering: .releasing) }
            }
        }
    }

    private struct Entry {
        let job: Job
        let lane: Lane?

        var isUrgent: Bool { lane?.isSeen ?? true }
    }

    private struct State {
        /// nil for those that are taken.
        var entries: [Entry?] = []
        var next = 0
        var isScheduled = false
        var budget: FrameBudget
        /// No job before this one is for a visible widget, unless one has become visible since.
        private var nextUrgent = 0
        private var appearances = 0
        /// The number of jobs for visible widgets that were taken before the oldest one.
        private var overtakingCount = 0

        init(budget: FrameBudget) { self.budget = budget }

        /// The oldest job for a visible widget, or else the oldest, which also gets its turn from time to time; nil when
        /// there is none: the next push schedules a hop again.
        mutating func take() -> Job? {
            while next < entries.count, entries[next] == nil { next += 1 }
            guard next < entries.count else {
                entries.removeAll(keepingCapacity: true)
                (next, nextUrgent, overtakingCount) = (0, 0, 0)
                isScheduled = false
                return nil
            }
            let index = overtakingCount == CompletionPump.mostOvertaking ? next : findUrgent() ?? next
            overtakingCount = index == next ? 0 : overtakingCount + 1
            // Releases what the job holds, perhaps a picture, now and not at the end of the batch.
            return entries[index].take()?.job
        }

        private mutating func findUrgent() -> Int? {
            let present = Lane.appearances.load(ordering: .acquiring)
            if present != appearances { (appearances, nextUrgent) = (present, next) }
            nextUrgent = entries[max(next, nextUrgent)...].firstIndex { $0?.isUrgent == true } ?? entries.count
            return nextUrgent < entries.count ? nextUrgent : nil
        }
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> UInt64
    private let schedule: Scheduler

    init(
        budget: FrameBudget = FrameBudget(), now: @escaping @Sendable () -> UInt64 = CompletionPump.monotonicTime,
        schedule: @escaping Scheduler = CompletionPump.onMainQueue
    ) {
        state = Mutex(State(budget: budget))
        self.now = now
        self.schedule = schedule
    }

    /// For a load's context: calls back on the main thread, in batches with other loads.
    ///
    /// - Parameter lane: The widget's; nil to count as visible.
    func callbackQueue(lane: Lane? = nil) -> CallbackQueue {
        CallbackQueue { callback in
            if webimage_is_main_thread() != 0 { callback() } else { self.push(callback, lane: lane) }
        }
    }

    /// Runs `job` on the main thread when the budget allows: first in, first out among visible widgets, and after them
    /// among all others.
    func push(_ job: @escaping Job, lane: Lane? = nil) {
        let mustSchedule = state.withLock { state in
            state.entries.append(Entry(job: job, lane: lane))
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { schedule(0) { self.drain() } }
    }

    private func drain() {
        while true {
            let delay = state.withLock { $0.budget.delay(at: now()) }
            guard delay == 0 else { return schedule(delay) { self.drain() } }
            guard let job = state.withLock({ $0.take() }) else { return }
            let start = now()
            MainThreadTime.measure(job)
            let duration = now() &- start
            state.withLock { $0.budget.charge(duration) }
        }
    }

    private static let monotonicTime: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

    private static let onMainQueue: Scheduler = { delay, job in
        guard delay > 0 else { return DispatchQueue.main.async(execute: job) }
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: job)
    }
}
