import CLinux
import CProcess
import Glibc
import WebImageCore

/// The process of a worker, as the app holds it.
final class WorkerProcess: Sendable {
    private let number: pid_t
    let descriptor: OwnedDescriptor
    private let helper: DecoderHelper

    /// - Parameters:
    ///   - number: No other process gets it before the helper is asked for the worker's status.
    ///   - descriptor: Can be read once the process has ended.
    init(number: pid_t, descriptor: OwnedDescriptor, helper: DecoderHelper) {
        self.number = number
        self.descriptor = descriptor
        self.helper = helper
    }

    /// The processor's time that the worker has used; nil after its end.
    var processorTime: Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(number, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Its end takes longer, by the time that the kernel takes for its memory.
    func kill() { _ = webimage_signal_process(descriptor.number, SIGKILL) }

    /// Kills the worker where it has not ended, and waits. One that is about to end keeps its status.
    func end() {
        kill()
        _ = webimage_wait_for_either(descriptor.number, -1, -1)
    }

    /// How the worker has ended. Until this call it is a zombie of the helper. Call it once.
    func collect() -> WorkerEnding {
        defer { descriptor.close() }
        return helper.ending(of: number)
    }
}

/// How a worker has ended.
enum WorkerEnding: Equatable {
    case exit(Int32), signal(Int32)
    /// For a reason that the helper has seen.
    case found(WorkerFinding)
    /// The helper has ended, and all its workers with it.
    case lost

    init(status: Int32) { self = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f) }
}
