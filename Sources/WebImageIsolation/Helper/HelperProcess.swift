import CProcess
import Glibc
import Synchronization
import WebImageCore

/// The process of a helper program: killed, and waited for, at the latest with this object.
final class HelperProcess: Sendable {
    private let number: pid_t
    let descriptor: OwnedDescriptor
    private let hasEnded = Mutex(false)

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

    /// Kills the program, and its workers with it, and leaves no zombie.
    func end() {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            hasEnded = true
            _ = webimage_signal_process(descriptor.number, SIGKILL)
            while waitpid(number, nil, 0) < 0, errno == EINTR {}
        }
    }
}
