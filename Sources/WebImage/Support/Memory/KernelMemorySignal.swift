import Glibc

/// An open file of the kernel's that rings, as `POLLPRI`, when memory is short.
struct KernelMemorySignal: Hashable {
    private enum Kind: Hashable {
        /// Programs had to wait for memory.
        case stall(MemoryPressure.Level)
        /// A limit was met, of a group's that this process belongs to.
        case limit
    }

    let descriptor: CInt
    private let kind: Kind
    private let root: String

    /// Whether it was asked to ring once; such a one is useless after an error.
    var isTrigger: Bool { kind != .limit }

    /// Those that this process may listen to; empty where there are none. They belong to the caller.
    static func all(root: String) -> [KernelMemorySignal] {
        let group = MemoryControlGroup(root: root)
        let groups = group.flatMap { $0.isUnified ? $0.directories : nil } ?? []
        let stalls = [root + "/proc/pressure/memory"] + (groups.first.map { [$0 + "/memory.pressure"] } ?? [])
        let signals = stalls.flatMap { path in
            // Of two seconds, which is what the kernel lets programs without rights ask for.
            [
                stall(path, "some 200000 2000000", .warning, root),
                stall(path, "full 200000 2000000", .critical, root),
            ].compactMap { $0 }
        }
        // Of all groups around the process: the limit is often that of the one around its own, whose files say nothing of it.
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

    /// What it means that it rang; nil when that was for the sake of files only. Makes it ring anew next time.
    func level() -> MemoryPressure.Level? {
        switch kind {
        case .stall(let level): return level
        case .limit:
            acknowledge()
            return Self.level(usedShare: MemoryControlGroup(root: root)?.usedShare)
        }
    }

    /// How short memory is in a group that takes `usedShare` of its limit for more than files.
    static func level(usedShare: Double?) -> MemoryPressure.Level? {
        switch usedShare ?? 0 {
        case 0.95...: .critical
        case 0.85...: .warning
        default: nil
        }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// The kernel rings until the file is read again.
    private func acknowledge() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        _ = pread(descriptor, &buffer, buffer.count, 0)
    }
}
