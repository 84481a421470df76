import Glibc

/// An open file of the kernel that signals memory pressure with `POLLPRI`.
package struct KernelMemorySignal: Hashable {
    private enum Kind: Hashable {
        /// Programs had to wait for memory.
        case stall(MemoryPressure.Level)
        /// The limit of a control group around this process was reached.
        case limit
    }

    let descriptor: CInt
    private let kind: Kind
    private let root: String

    /// Whether the file was set to signal once; after an error it is useless.
    var isTrigger: Bool { kind != .limit }

    /// All signals available to this process; may be empty. The caller must close them.
    static func all(root: String) -> [KernelMemorySignal] {
        let groups = MemoryControlGroup(root: root)?.directories ?? []
        let stalls = [root + "/proc/pressure/memory"] + (groups.first.map { [$0 + "/memory.pressure"] } ?? [])
        let signals = stalls.flatMap { path in
            // Over two seconds, which is the window that the kernel allows to programs without privileges.
            [
                stall(path, "some 200000 2000000", .warning, root),
                stall(path, "full 200000 2000000", .critical, root),
            ].compactMap { $0 }
        }
        // Of all groups around the process: the limit often belongs to an outer group, and the files of the inner group
        // do not report it.
        return signals + groups.compactMap { limit($0 + "/memory.events", root) }
    }

    private static func stall(
        _ path: String, _ trigger: String, _ level: MemoryPressure.Level, _ root: String
    ) -> KernelMemorySignal? {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let length = trigger.utf8.count + 1
        guard trigger.withCString({ write(descriptor, $0, length) }) == length else {
            _ = Glibc.close(descriptor)
            return nil
        }
        return KernelMemorySignal(descriptor: descriptor, kind: .stall(level), root: root)
    }

    private static func limit(_ path: String, _ root: String) -> KernelMemorySignal? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let signal = KernelMemorySignal(descriptor: descriptor, kind: .limit, root: root)
        signal.acknowledge()
        return signal
    }

    /// The level for a signal; nil when only cached files had reached the limit. Prepares the next signal.
    func level() -> MemoryPressure.Level? {
        switch kind {
        case .stall(let level): return level
        case .limit:
            acknowledge()
            return Self.level(usedShare: MemoryControlGroup(root: root)?.usedShare)
        }
    }

    /// The level in a group that uses `usedShare` of its limit for memory other than cached files.
    static func level(usedShare: Double?) -> MemoryPressure.Level? {
        switch usedShare ?? 0 {
        case 0.95...: .critical
        case 0.85...: .warning
        default: nil
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// The kernel signals until the file is read again.
    private func acknowledge() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        _ = pread(descriptor, &buffer, buffer.count, 0)
    }
}
