import CLinux
import Dispatch
import Glibc
import Synchronization

/// A queue for background jobs, one after the other, on a thread with the lowest priority for processors and disks. The
/// thread exists only while there are jobs.
///
/// A caller that waits for jobs runs them on its own thread, at its own priority. A job that has already begun continues
/// at the low priority, which only a privileged process could raise: a long job therefore checks ``isAwaited`` from
/// time to time.
final class MaintenanceQueue: Sendable {
    typealias Job = @Sendable () -> Void
    /// Runs a job after a delay in milliseconds.
    typealias Timer = @Sendable (_ milliseconds: Int, _ job: @escaping Job) -> Void

    private struct State {
        var jobs: [Job] = []
        var hasThread = false
    }

    private let timer: Timer
    private let state = Mutex(State())
    private let turn = Mutex(())
    private let waiterCount = Atomic(0)
    private let isOnThread = Atomic(false)

    /// Whether a caller waits while a job runs on the queue's thread. The job should then end, and submit the rest of
    /// its work as a new job, which the waiting caller runs.
    var isAwaited: Bool { waiterCount.load(ordering: .relaxed) > 0 && isOnThread.load(ordering: .relaxed) }

    init(timer: @escaping Timer = MaintenanceQueue.dispatchTimer) { self.timer = timer }

    static let dispatchTimer: Timer = { milliseconds, job in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: job)
    }

    /// Runs `job` after all earlier jobs.
    func async(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { startThread() }
    }

    /// Runs `job` after a delay in seconds.
    func async(after seconds: Int, _ job: @escaping @Sendable () -> Void) {
        async(afterMilliseconds: seconds * 1000, job)
    }

    func async(afterMilliseconds milliseconds: Int, _ job: @escaping @Sendable () -> Void) {
        timer(milliseconds) { [weak self] in self?.async(job) }
    }

    /// Runs all earlier jobs, and then `work`, on the calling thread. Must not be called by a job.
    func sync<Result: Sendable>(_ work: () -> Result) -> Result {
        waiterCount.add(1, ordering: .relaxed)
        return turn.withLock { _ in
            waiterCount.subtract(1, ordering: .relaxed)
            // Other threads may keep adding jobs.
            for _ in 0..<state.withLock({ $0.jobs.count }) { nextJob()?() }
            return work()
        }
    }

    private func startThread() {
        var thread = pthread_t()
        let queue = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                prepareThread()
                Unmanaged<MaintenanceQueue>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, queue.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            // If no thread can be created, a thread of Dispatch runs the jobs at its own priority.
            DispatchQueue.global(qos: .utility).async { queue.takeRetainedValue().run() }
        }
    }

    private func run() {
        while runNext() {}
    }

    private func runNext() -> Bool {
        turn.withLock { _ in
            guard let job = nextJob(orEnd: true) else { return false }
            isOnThread.store(true, ordering: .relaxed)
            defer { isOnThread.store(false, ordering: .relaxed) }
            job()
            return true
        }
    }

    private func nextJob(orEnd isThread: Bool = false) -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                if isThread { state.hasThread = false }
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}

/// Signals are left to the program's threads, and processor and disk time is yielded to them.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.disk")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    webimage_yield_to_others()
}
