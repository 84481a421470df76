import Glibc

@testable import WebImageCache

/// Uses a cache whose work is complete when this returns, like that of a former process, including the work of its own
/// thread at its end. A cache that is merely released may still hold the index's lock, and read and write the index,
/// while the test examines the next cache.
@discardableResult
func closing<Result>(
    _ cache: @autoclosure () -> DiskCache, _ work: (DiskCache) throws -> Result
) rethrows -> Result {
    let (former, maintenance, result) = try used(cache(), work)
    former.waitForEnd()
    maintenance.sync {}
    return result
}

/// A cache that was released.
struct FormerCache {
    weak var cache: DiskCache?

    /// Waits for the jobs of the cache's own that still hold it.
    func waitForEnd() {
        while cache != nil { sched_yield() }
    }
}

/// Nothing retains the cache when this has returned.
private func used<Result>(
    _ cache: DiskCache, _ work: (DiskCache) throws -> Result
) rethrows -> (FormerCache, MaintenanceQueue, Result) {
    let result = try work(cache)
    return (FormerCache(cache: cache), cache.maintenance, result)
}
