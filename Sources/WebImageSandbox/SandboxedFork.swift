import CSandbox
import Glibc

/// A copy of the calling process, in namespaces of its own where they may be made.
///
/// The caller has one thread, and has never had another: what its locks and queues remember of threads would be wrong in the
/// copy.
package enum SandboxedFork: Equatable, Sendable {
    /// In the caller.
    case parent(of: pid_t)
    /// In the copy; what holds for it already, to be handed to `Sandbox.enter`.
    case worker(SandboxLevel)

    /// - Parameters:
    ///   - measures: The namespaces to make, of those in the set. Those but of users and of processes take more than
    ///     half a millisecond together, so that a process with many workers calls `SandboxedZygote.separate` once instead.
    ///   - required: Those among them without which there is no copy.
    ///   - level: What holds for the caller.
    package static func make(
        _ measures: SandboxLevel, required: SandboxLevel = [], from level: SandboxLevel = []
    ) throws(SandboxError) -> SandboxedFork {
        let child = webimage_sandbox_fork(measures.namespaces, measures.intersection(required).namespaces)
        guard child.process >= 0 else { throw .notForked(code: child.error) }
        guard child.process == 0 else { return .parent(of: child.process) }
        var reached = level.union(SandboxLevel(namespaces: child.namespaces))
        if child.dies_with_parent { reached.insert(.diesWithParent) }
        return .worker(reached)
    }

    /// How many threads a worker has; 0 for one that has ended, and without /proc.
    package static func threadCount(of worker: pid_t) -> Int { Int(webimage_sandbox_thread_count(worker)) }
}

extension SandboxLevel {
    private static let flags: [(Self, Int)] = [
        (.userNamespace, WEBIMAGE_SANDBOX_USER_NAMESPACE), (.processNamespace, WEBIMAGE_SANDBOX_PROCESS_NAMESPACE),
        (.networkNamespace, WEBIMAGE_SANDBOX_NETWORK_NAMESPACE), (.ipcNamespace, WEBIMAGE_SANDBOX_IPC_NAMESPACE),
        (.hostNamespace, WEBIMAGE_SANDBOX_HOST_NAMESPACE),
    ]

    /// As the C functions name them. The mount namespace is not among them: alone, it hides no file.
    var namespaces: UInt32 {
        Self.flags.reduce(0) { contains($1.0) ? $0 | UInt32($1.1) : $0 }
    }

    init(namespaces: UInt32) {
        self = Self.flags.reduce(into: []) { if namespaces & UInt32($1.1) != 0 { $0.insert($1.0) } }
    }
}
