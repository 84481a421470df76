import CLinux
import Glibc

/// Gets the kernel's reports of memory pressure, on a thread that sleeps until then.
///
/// Pressure stall information (Linux: accounting/psi) measures how long programs waited for memory: those of the whole
/// machine, and those of the process's control group. In a group with a limit, `memory.events` also reports when the
/// limit was reached. Cached files count towards the limit, too, so the memory without them decides the level.
struct KernelMemoryPressure: MemoryPressureSource {
    /// The root of `/proc` and `/sys`.
    var root = ""

    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)? {
        guard let stop = StopSignal() else { return nil }
        let watch = KernelMemoryWatch(root: root, stop: stop.reader, report: report)
        return watch.start() ? stop : nil
    }
}

/// Ends the thread by closing one end of a pipe.
private final class StopSignal: CancellableTask {
    /// Belongs to the receiver.
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

/// The work of the thread.
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

    /// - Returns: Whether the thread runs.
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
            // A removed group signals for ever.
            signals.removeAll { signal in
                let isGone = rung.contains { $0.0 == signal && $0.1 & Int16(POLLERR) != 0 && signal.isTrigger }
                if isGone { signal.close() }
                return isGone
            }
            // A limit that is reached repeatedly must not be counted each time.
            guard wait(for: [], atMost: 1000)[0] == 0 else { return }
        }
    }

    /// The events that poll reports for the stop signal and for each of `signals`.
    private func wait(for signals: [KernelMemorySignal], atMost milliseconds: CInt = -1) -> [Int16] {
        var polled = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
        polled += signals.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
        while poll(&polled, nfds_t(polled.count), milliseconds) < 0 && errno == EINTR {}
        return polled.map(\.revents)
    }
}

/// Signals are left to the program's own threads.
private func prepareThread() {
    pthread_setname_np(pthread_self(), "WebImage.memory")
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
}
