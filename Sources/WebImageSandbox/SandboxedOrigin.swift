import CSandbox
import Glibc

/// The process that workers are forked from, in namespaces that they all inherit: made once, they cost a worker nothing.
package struct SandboxedOrigin: Sendable {
    /// The measures that hold for the calling process from now on.
    package let level: SandboxLevel
    /// The measures that workers may try.
    package let measures: SandboxLevel
    /// The root of the workers' file system; nil if they get none of their own.
    package let root: EmptyRoot?

    /// Whether the calling process may be forked. Some libraries have threads for a moment, others keep them.
    package static var hasOneThread: Bool { webimage_sandbox_thread_count() <= 1 }

    /// Closes what the calling process has from its parent, but the first descriptors.
    package static func closeDescriptors(after last: Int32) {
        let kept = Array(0...last)
        _ = webimage_sandbox_close_descriptors(kept, kept.count)
    }

    /// Takes the environment from the calling process, so that its workers need not overwrite a copy each.
    package static func clearEnvironment() { webimage_sandbox_clear_environment() }

    /// Moves the calling process into namespaces of its own, except one of processes, which is for children only. It still
    /// sees all files. No handler of signals stays.
    package static func separate(_ wished: SandboxLevel) -> SandboxedOrigin {
        webimage_sandbox_reset_signals()
        let measures = survivable(wished)
        let mounts = measures.contains(.emptyRoot) ? UInt32(WEBIMAGE_SANDBOX_MOUNT_NAMESPACE) : 0
        let wanted = measures.namespaces | mounts
        let reached = wanted == 0 ? 0 : webimage_sandbox_separate(wanted)
        let root = mounts & reached == 0 ? nil : EmptyRoot()
        // Its user namespace is that of all workers, so that it says nothing of a single one.
        return SandboxedOrigin(
            level: SandboxLevel(namespaces: reached).subtracting(.userNamespace), measures: measures, root: root)
    }

    /// The measures that do not end who takes them: a list of system calls that a service has from its manager may do so.
    /// Tried by children.
    private static func survivable(_ measures: SandboxLevel) -> SandboxLevel {
        guard webimage_sandbox_has_filter() else { return measures }
        let parts: [SandboxLevel] = [.landlock, .emptyRoot, .namespaces.subtracting(.emptyRoot)]
        return parts.reduce(measures) { isSurvivable($1.intersection(measures)) ? $0 : $0.subtracting($1) }
    }

    private static func isSurvivable(_ part: SandboxLevel) -> Bool {
        let child = webimage_sandbox_fork(0)
        guard child.process != 0 else { tryOut(part) }
        var status: Int32 = 0
        while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    private static func tryOut(_ part: SandboxLevel) -> Never {
        if !part.isDisjoint(with: .landlock) { _ = webimage_sandbox_restrict_by_landlock() }
        var namespaces = part.namespaces
        if part.contains(.emptyRoot) { namespaces |= UInt32(WEBIMAGE_SANDBOX_MOUNT_NAMESPACE) }
        if namespaces != 0 { _ = webimage_sandbox_separate(namespaces) }
        if part.contains(.emptyRoot), let root = EmptyRoot() { _ = webimage_sandbox_enter_root(root.descriptor) }
        if part.contains(.processNamespace) { _ = webimage_sandbox_fork(part.namespaces) }
        _exit(0)
    }
}

/// An empty directory that cannot be written, and that no other process sees.
package struct EmptyRoot: Sendable {
    /// Open as long as the process lives.
    let descriptor: Int32

    init?() {
        descriptor = webimage_sandbox_make_empty_root()
        if descriptor < 0 { return nil }
    }
}
