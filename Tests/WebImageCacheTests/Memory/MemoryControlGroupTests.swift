import Foundation
import Testing

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Control groups")
struct MemoryControlGroupTests {
    private let root: CacheDirectory

    init() throws { root = try CacheDirectory() }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: root.path + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test("UTL-7 the lowest limit of a group and its parents counts")
    func unified() throws {
        try write("0::/app.slice/shop.service\n", to: "/proc/self/cgroup")
        try write("max\n", to: "/sys/fs/cgroup/app.slice/shop.service/memory.max")
        try write("268435456\n", to: "/sys/fs/cgroup/app.slice/memory.max")
        try write("536870912\n", to: "/sys/fs/cgroup/memory.max")
        #expect(MemoryControlGroup(root: root.path)?.limit == 256 << 20)
    }

    @Test("a group outside of the container's view has the container's limit, and those of version 1 have none")
    func container() throws {
        try write("0::/../../docker/0123\n", to: "/proc/self/cgroup")
        try write("134217728\n", to: "/sys/fs/cgroup/memory.max")
        #expect(MemoryControlGroup(root: root.path)?.limit == 128 << 20)
        try write("4:memory:/docker/0123\n", to: "/proc/self/cgroup")
        #expect(MemoryControlGroup(root: root.path) == nil)
    }

    @Test("MEM-4 a limit of a parent group is watched as well")
    func limitsAround() throws {
        try write("0::/app.slice/shop.service\n", to: "/proc/self/cgroup")
        for group in ["/app.slice/shop.service", "/app.slice"] {
            try write("low 0\nhigh 0\nmax 0\n", to: "/sys/fs/cgroup\(group)/memory.events")
        }
        let signals = KernelMemorySignal.all(root: root.path)
        defer { for signal in signals { signal.close() } }
        #expect(signals.count { !$0.isTrigger } == 2)
    }

    @Test("files that could be dropped do not count as a shortage of memory")
    func usedShare() throws {
        try write("0::/\n", to: "/proc/self/cgroup")
        try write("1000000\n", to: "/sys/fs/cgroup/memory.max")
        try write("990000\n", to: "/sys/fs/cgroup/memory.current")
        try write("anon 100000\ninactive_file 890000\nactive_file 0\n", to: "/sys/fs/cgroup/memory.stat")
        #expect(MemoryControlGroup(root: root.path)?.usedShare == 0.1)
        try write("anon 900000\ninactive_file 100000\n", to: "/sys/fs/cgroup/memory.stat")
        #expect(MemoryControlGroup(root: root.path)?.usedShare == 0.89)
    }

    @Test(
        "the used share of a limit states how short memory is",
        arguments: [
            (nil, nil), (0.1, nil), (0.84, nil), (0.85, .warning), (0.94, .warning), (0.95, .critical),
            (1.2, .critical),
        ]
            as [(Double?, MemoryPressure.Level?)])
    func level(share: Double?, level: MemoryPressure.Level?) {
        #expect(KernelMemorySignal.level(usedShare: share) == level)
    }

    @Test("nonsense in place of the kernel's files is no limit", arguments: ["", "0", "0:\n", "::::\n", "x:memory:\n"])
    func nonsense(text: String) throws {
        #expect(MemoryControlGroup(root: root.path) == nil)
        try write(text, to: "/proc/self/cgroup")
        #expect(MemoryControlGroup(root: root.path)?.limit == nil)
    }

    @Test("MEM-2 the default limit is a quarter of what the process may use, and at most 512 MiB")
    func defaultLimit() {
        #expect(MemoryCache.defaultCostLimit(physicalMemory: 64 << 30, groupLimit: nil) == 512 << 20)
        #expect(MemoryCache.defaultCostLimit(physicalMemory: 1 << 30, groupLimit: nil) == 256 << 20)
        #expect(MemoryCache.defaultCostLimit(physicalMemory: 64 << 30, groupLimit: 256 << 20) == 64 << 20)
        #expect((1...512 << 20).contains(MemoryCache.defaultCostLimit))
        #expect(MemoryCache().costLimit == MemoryCache.defaultCostLimit)
    }
}
