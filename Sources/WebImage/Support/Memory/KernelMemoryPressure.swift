import CLinux
import Glibc

/// Hears from the kernel that memory is short, on a thread that sleeps until then.
///
/// Pressure stall information (Linux: accounting/psi) tells how long programs waited for memory: those of the whole
/// machine, and those of the control group that the process is in. In a group with a limit, `memory.events` tells also
/// when the limit was met; since files that were read fill a group as well, what is held besides them decides then.
struct KernelMemoryPressure: MemoryPressureSource {
    /// Where `/proc` and `/sys` stand.
    var root = ""

    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)? {
        guard let stop = StopSignal() else { return nil }
        let watch = KernelMemoryWatch(root: root, stop: stop.reader, report: report)
        return watch.start() ? stop : nil
    }
}

/// Tells the thread to end: its end of a pipe is closed.
private final class StopSignal: CancellableTask {
    /// Belongs to who is told.
    let reader: CInt
    private let writer: OwnedDescriptor

    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reader = ends[0]
        writer = OwnedDescriptor(ends[1])
    }

    func cancel() { writer.close() }
}

/// What the thread does.
private final class KernelMemoryWatch: Sendable {
    private let root: String
    private let stop: CInt
    private let report: @Sendable (MemoryPressure.Level) -> Void

    init(root: String, stop: CInt, report: @escaping @Sendable (MemoryPressure.Level) -> Void) {
        self.root = root
        self.stop = stop
        self.report = report
    }

    deinit { close(stop) }

    /// - Returns: Whether there is a thread.
    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let watch = Unmanaged<KernelMemoryWatch>.fromOpaque(context).takeRetainedValue()
                prepareThread()
                watch.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func run() {
        var signals = KernelMemorySignal.all(root: root)
        defer { for signal in signals { signal.close() } }
        while !signals.isEmpty {
            let events = wait(for: signals)
            guard events[0] == 0 else { return }
            let rung = zip(signals, events.dropFirst()).filter { $1 != 0 }
            let levels = rung.compactMap { signal, _ in signal.level() }
            if !levels.isEmpty { report(levels.contains(.critical) ? .critical : .warning) }
            // A group that was removed rings for ever.
            signals.removeAll { signal in
                let isGone = rung.contains { $0.0 == signal && $0.1 & Int16(POLLERR) != 0 && signal.isTrigger }
                if isGone { signal.close() }
                return isGone
            }
            // A limit that is met again and again must not be counted again and again.
            guard wait(for: [], atMost: 1000)[0] == 0 else { return }
        }
    }

    /// What poll says of the stop signal and of each of `signals`.
    private func wait(for signals: [KernelMemorySignal], atMost milliseconds: CInt = -1) -> [Int16] {
        var polled = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
        polled += signals.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
        while poll(&polled, nfds_t(polled.count), milliseconds) < 0 && errno == EINTR {}
        return polled.map(\.revents)
    }
}

/// The program's own handlers of signals belong to its own threads.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.memory")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
}
