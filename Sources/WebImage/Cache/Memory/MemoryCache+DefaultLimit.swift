import Glibc

extension MemoryCache {
    /// A quarter of the memory that this process may use, but at most 512 MiB: of the machine's, or of what its control
    /// group is allowed, where that is less.
    ///
    /// 512 MiB are about sixty full screens of pixels; more would only take memory from the system's own file cache,
    /// which makes the disk tier fast. Decided once per process.
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
            cost: config.maxMemoryCost, count: config.maxMemoryCount,
            lifetime: config.maxMemoryAge < 0 ? nil : .seconds(config.maxMemoryAge),
            keepsWeakReferences: config.shouldUseWeakMemoryCache)
    }
}
