import CLinux
import Dispatch
import Glibc
import Synchronization

/// Jobs that nobody waits for, one after the other, on a thread that leaves processors and disks to everybody else. The
/// thread is there only while there are jobs.
///
/// Who waits all the same does what is to be done itself, at its own priority; a job that has begun goes on at the thread's.
final class MaintenanceQueue: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var hasThread = false
    }

    private let state = Mutex(State())
    private let turn = Mutex(())

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
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.async(job)
        }
    }

    /// Runs all jobs that were given before, and then `work`. Not to be called by a job.
    func sync<Result: Sendable>(_ work: () -> Result) -> Result {
        turn.withLock { _ in
            while let job = nextJob() { job() }
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
