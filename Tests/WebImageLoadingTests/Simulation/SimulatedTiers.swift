import WebImageCore

/// The tiers that a load reads and writes.
enum SimulatedTiers: CaseIterable {
    case usual
    /// Originals in memory too.
    case originalsInMemory
    /// Originals in memory, never looked for on the disk.
    case originalsFromMemory
    case memoryOnly
    case fromDisk

    var storeOriginalsOnDisk: Bool { self != .memoryOnly }

    func apply(to context: inout WebImageContext) {
        switch self {
        case .usual: break
        case .originalsInMemory:
            context.originalQueryCacheType = .all
            context.originalStoreCacheType = .all
        case .originalsFromMemory:
            context.originalQueryCacheType = .memory
            context.originalStoreCacheType = .all
        case .memoryOnly: context = .cacheMemoryOnly
        case .fromDisk: context.queryCacheType = .disk
        }
    }
}
