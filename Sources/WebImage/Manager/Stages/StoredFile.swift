/// A file from the disk cache.
// A class: it goes through many hands, and holds a handful of references.
final class StoredFile: Sendable {
    let entry: DiskCacheEntry
    /// Whether the file is fresh according to its stored fields.
    let isFresh: Bool
    /// Of the bytes; computed where they were read, since it is compared under locks.
    let fingerprint: FileFingerprint
    /// The generation before the read.
    let generation: CacheGeneration

    init(entry: DiskCacheEntry, isFresh: Bool, generation: CacheGeneration = CacheGeneration()) {
        self.entry = entry
        self.isFresh = isFresh
        self.generation = generation
        fingerprint = FileFingerprint(entry.data)
    }

    /// Whether a server has sent the same bytes.
    func holds(_ response: ImageLoadResponse) -> Bool { fingerprint == response.fingerprinted.fingerprint }
}

/// The picture that a load refreshes.
final class CachedPicture: Sendable {
    let result: LoadResult
    /// The original's file; nil when it is not on the disk.
    let file: StoredFile?

    init(result: LoadResult, file: StoredFile?) {
        self.result = result
        self.file = file
    }

    /// Whether the picture was made of this file: another load may have stored a newer file meanwhile. A picture that an
    /// app put into memory counts as made of it. The source of a derived picture's own file is unknown.
    func isOfItsFile(_ plan: LoadPlan) -> Bool {
        guard let file else { return true }
        guard let source = result.image.source else { return !plan.isDerived }
        return file.fingerprint == source
    }
}
