import CLinux
import Dispatch
import Glibc
import Synchronization

/// Jobs that nobody waits for, one after the other, on a thread that leaves processors and disks to everybody else. The
/// thread is there only while there are jobs.
///
/// Who waits all the same does what is to be done itself, at its own priority. A job that has begun goes on at the thread's,
/// which nothing but a privilege could raise: one that may take long asks from time to time whether it ``isAwaited``.
final class MaintenanceQueue: Sendable {
    typealias Job = @Sendable () -> Void
    /// Runs a job after so many milliseconds.
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

    /// Whether somebody waits while a job runs on the queue's own thread. It does well to end then, and to give what is left
    /// as a new job, which is the waiter's to run.
    var isAwaited: Bool { waiterCount.load(ordering: .relaxed) > 0 && isOnThread.load(ordering: .relaxed) }

    init(timer: @escaping Timer = MaintenanceQueue.dispatchTimer) { self.timer = timer }

    static let dispatchTimer: Timer = { milliseconds, job in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: job)
    }

    /// Runs `job` after all that were given before.
    func async(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { startThread() }
    }

    /// Runs `job` after so many seconds.
    func async(after seconds: Int, _ job: @escaping @Sendable () -> Void) {
        async(afterMilliseconds: seconds * 1000, job)
    }

    func async(afterMilliseconds milliseconds: Int, _ job: @escaping @Sendable () -> Void) {
        timer(milliseconds) { [weak self] in self?.async(job) }
    }

    /// Runs all jobs that were given before, and then `work`. Not to be called by a job.
    func sync<Result: Sendable>(_ work: () -> Result) -> Result {
        waiterCount.add(1, ordering: .relaxed)
        return turn.withLock { _ in
            waiterCount.subtract(1, ordering: .relaxed)
            // Others may go on giving it jobs.
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
            // Without a thread of its own, one of Dispatch's does it, at its priority.
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

/// Signals belong to the program's own threads; processor and disk first of all to everybody else.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.disk")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    webimage_yield_to_others()
}
