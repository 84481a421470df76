/// The kernel's limits of this process's memory by control groups of version 2 (Linux: admin-guide/cgroup-v2, "Memory").
package struct MemoryControlGroup: Sendable {
    /// The group's directory and those around it, innermost first.
    let directories: [String]

    /// The group that this process is in; nil where there are none.
    package static let current = MemoryControlGroup()

    /// - Parameter root: The root of `/proc` and `/sys`.
    init?(root: String = "") {
        guard let text = KernelFile.text(root + "/proc/self/cgroup") else { return nil }
        // A line is `number:controllers:path`; version 2 has the number 0 and no controllers.
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else { return nil }
        // The path contains `..` when the group is outside of the namespace of this process.
        let names = line.dropFirst(3).split(separator: "/").filter { $0 != ".." }
        directories = (0...names.count).reversed().map { depth in
            names.prefix(depth).reduce(root + "/sys/fs/cgroup") { "\($0)/\($1)" }
        }
    }

    /// The most bytes for this process and the others in the group together; nil for no limit.
    package var limit: Int? { directories.compactMap(limit(in:)).min() }

    /// The share of its limit that the group uses without cached files: 0 to 1; nil where that is unknown.
    var usedShare: Double? {
        directories.compactMap { directory -> Double? in
            guard let limit = limit(in: directory), limit > 0,
                let used = KernelFile.number(directory + "/memory.current"),
                let text = KernelFile.text(directory + "/memory.stat")
            else { return nil }
            let files = KernelFile.field("inactive_file", of: text) ?? 0
            return Double(max(0, used - files)) / Double(limit)
        }.max()
    }

    private func limit(in directory: String) -> Int? {
        // No limit is the word `max`, which is no number.
        KernelFile.number(directory + "/memory.max")
    }
}
