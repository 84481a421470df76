import CProcess
import Glibc
import Synchronization
import WebImageCore

/// The process of a helper program: killed, and waited for, at the latest with this object.
final class HelperProcess: Sendable {
    private let number: pid_t
    let descriptor: OwnedDescriptor
    /// As of `wait4`; nil before its end.
    private let status = Mutex<Int32?>(nil)

    /// - Parameter control: What the program gets as its only descriptor beside the standard ones.
    init(path: String, control: OwnedDescriptor) throws(SystemFailure) {
        var number: pid_t = 0
        let code = webimage_start_companion(path, control.number, &number)
        guard code == 0 else { throw SystemFailure(code: code) }
        self.number = number
        let descriptor = webimage_open_process(number)
        self.descriptor = OwnedDescriptor(descriptor)
        guard descriptor >= 0 else {
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
            throw SystemFailure(code: -descriptor)
        }
    }

    deinit { end() }

    var isRunning: Bool { webimage_wait_for_either(descriptor.number, -1, 0) == 0 }

    func signal(_ number: Int32) { _ = webimage_signal_process(descriptor.number, number) }

    /// Kills the program where it has not ended, and its workers with it, and leaves no zombie.
    @discardableResult
    func end() -> WorkerEnding {
        let status = status.withLock { status in
            if let status { return status }
            var found: Int32 = 0
            _ = webimage_signal_process(descriptor.number, SIGKILL)
            while waitpid(number, &found, 0) < 0, errno == EINTR {}
            status = found
            return found
        }
        return WorkerEnding(status: status)
    }
}
