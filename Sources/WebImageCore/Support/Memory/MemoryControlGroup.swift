/// The kernel's limits of this process's memory by control groups (Linux: admin-guide/cgroup-v2, "Memory"; cgroup-v1).
package struct MemoryControlGroup: Sendable {
    /// The group's directory and those around it, innermost first.
    let directories: [String]
    let isUnified: Bool

    /// The group that this process is in; nil where there are none.
    package static let current = MemoryControlGroup()

    /// - Parameter root: The root of `/proc` and `/sys`.
    init?(root: String = "") {
        guard let text = KernelFile.text(root + "/proc/self/cgroup") else { return nil }
        // A line is `number:controllers:path`; version 2 has the number 0 and no controllers.
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        let known = lines.filter { $0.count == 3 }
        if let line = known.first(where: { $0[1].split(separator: ",").contains("memory") }) {
            self.init(mount: root + "/sys/fs/cgroup/memory", path: line[2], isUnified: false)
        } else if let line = known.first(where: { $0[0] == "0" }) {
            self.init(mount: root + "/sys/fs/cgroup", path: line[2], isUnified: true)
        } else {
            return nil
        }
    }

    private init(mount: String, path: Substring, isUnified: Bool) {
        self.isUnified = isUnified
        // The path contains `..` when the group is outside of the namespace of this process.
        let names = path.split(separator: "/").filter { $0 != ".." }
        directories = (0...names.count).reversed().map { depth in
            names.prefix(depth).reduce(mount) { "\($0)/\($1)" }
        }
    }

    /// The most bytes for this process and the others in the group together; nil for no limit.
    package var limit: Int? { directories.compactMap(limit(in:)).min() }

    /// The share of its limit that the group uses without cached files: 0 to 1; nil where that is unknown.
    var usedShare: Double? {
        directories.compactMap { directory -> Double? in
            guard isUnified, let limit = limit(in: directory), limit > 0,
                let used = KernelFile.number(directory + "/memory.current"),
                let text = KernelFile.text(directory + "/memory.stat")
            else { return nil }
            let files = KernelFile.field("inactive_file", of: text) ?? 0
            return Double(max(0, used - files)) / Double(limit)
        }.max()
    }

    private func limit(in directory: String) -> Int? {
        // Version 1 has a number near the highest for no limit, version 2 the word `max`, which is no number.
        let limit = KernelFile.number(directory + (isUnified ? "/memory.max" : "/memory.limit_in_bytes"))
        return limit.flatMap { $0 < 1 << 60 ? $0 : nil }
    }
}
