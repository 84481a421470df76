/// A file from the disk cache.
struct StoredFile: Sendable {
    let entry: DiskCacheEntry
    /// Whether the server said that it would be good until now.
    let isFresh: Bool
    /// Of the bytes, for loads that refresh; made where they were read, since the machine works under the load's lock.
    var fingerprint: FileFingerprint?
    /// Before it was read.
    var generation = CacheGeneration()
}

/// The picture that a load refreshes.
struct CachedPicture: Sendable {
    let result: LoadResult
    /// The original's file; nil when it is not on the disk.
    let file: StoredFile?

    /// Whether the picture is that of the file: another load may have stored a newer one meanwhile. One that an app has
    /// put into memory counts as the file's; of a derived picture's own file, nobody knows what it was made of.
    func isOfItsFile(_ plan: LoadPlan) -> Bool {
        guard let file else { return true }
        guard let source = result.image.source else { return !plan.isDerived }
        return file.fingerprint == source
    }
}
