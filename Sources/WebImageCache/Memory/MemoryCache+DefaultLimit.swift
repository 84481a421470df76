import Glibc
import WebImageCore

extension MemoryCache {
    /// A quarter of the memory that is available to this process, but at most 512 MiB. Available is the machine's
    /// memory, or the limit of the process's control group where that is lower.
    ///
    /// 512 MiB are about sixty full screens of pixels; more would only take memory from the system's file cache, which
    /// makes the disk tier fast. Computed once per process.
    public static let defaultCostLimit: Int = {
        let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return defaultCostLimit(physicalMemory: physical, groupLimit: MemoryControlGroup.current?.limit)
    }()

    static func defaultCostLimit(physicalMemory: Int, groupLimit: Int?) -> Int {
        min(min(physicalMemory, groupLimit ?? .max) / 4, 512 << 20)
    }
}

extension MemoryCacheLimits {
    init(_ config: ImageCacheConfig) {
        self.init(
            cost: config.maxMemoryCost, count: config.maxMemoryCount, lifetime: config.maxMemoryAge,
            keepsWeakReferences: config.shouldUseWeakMemoryCache)
    }
}
