import CRefusal
import Glibc
import WebImageIsolation
import WebImageDecoder

/// A fault of the helper itself, as a variable of its environment says.
enum HelperFault: String {
    /// The system has no threads, from the beginning, or once the helper is ready.
    case noThreadAtStart, noThread
    /// A library has started a thread that stays.
    case keptThread

    /// In milliseconds, until threads must have ended.
    static let patience = current == .keptThread ? 50 : 5000

    private static let current = getenv("WEBIMAGE_FAULT").flatMap { HelperFault(rawValue: String(cString: $0)) }

    static func preload(for role: HelperRole) {
        if current == .noThreadAtStart {
            refuseThreads()
            _ = startsThread()
        }
        Preload.run(for: role)
        if current == .noThread { refuseThreads() }
        if current == .keptThread { keepThread() }
    }

    private static func keepThread() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
    }

    /// As the kernel does it beyond the limit of a user or of a group of processes. The flags are those of `pthread_create`.
    private static func refuseThreads() {
        _ = webimage_refuse_call(Int(SYS_clone), BPF_JEQ, 0x3d0f00, EAGAIN)
        _ = webimage_refuse_call(Int(SYS_clone3), BPF_JGE, 0, ENOSYS)
    }

    static func startsThread() -> Bool {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
        return pthread_join(thread, nil) == 0
    }
}
