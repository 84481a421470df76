@testable import WebImage

/// Does something with a cache that has come to its end when this returns, as a former process's: what it does then, on a
/// thread of its own, is done as well. A cache that is just let go may still have the index locked, and read and write
/// it, while the next one is looked at.
@discardableResult
func closing<Result>(
    _ cache: @autoclosure () -> DiskCache, _ work: (DiskCache) throws -> Result
) rethrows -> Result {
    let (maintenance, result) = try used(cache(), work)
    maintenance.sync {}
    return result
}

/// Nothing holds the cache any more when this has returned.
private func used<Result>(
    _ cache: DiskCache, _ work: (DiskCache) throws -> Result
) rethrows -> (MaintenanceQueue, Result) {
    let result = try work(cache)
    return (cache.maintenance, result)
}
