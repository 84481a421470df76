import FoundationEssentials
import WebImageCore

// Removals, of pictures with all that was made from them.
extension ImageCache {
    /// Removes a picture with its thumbnails and transformed pictures: from memory at once, from disk on the cache's
    /// threads; queries do not find them from now on. If a file cannot be removed, queries find it again when `completion`
    /// is called, and one warning is logged; ``removeFromDiskBlocking(for:)`` throws.
    ///
    /// - Parameter completion: Called once: before this returns when only memory is given, else on the cache's threads.
    public func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        // Counted first: a load that makes a picture of the old entry checks the count after storing it in memory.
        writer.noteChange(of: key)
        if tiers.contains(.memory) { memoryCache.remove(for: key) }
        guard tiers.contains(.disk) else {
            completion?()
            return
        }
        let end: CacheWriter.Completion = { _ in completion?() }
        guard !key.isDerived else { return writer.request(.remove(key), completion: end) }
        writer.request(.remove(key))
        writer.request(.removeDerived(key, unlessOf: nil), completion: end)
    }

    /// Removes a picture as ``remove(for:from:completion:)`` does, but no thumbnails or transformed pictures of it.
    public func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        writer.noteChange(of: key)
        if tiers.contains(.memory) { memoryCache.removeAlone(for: key) }
        guard tiers.contains(.disk) else {
            completion?()
            return
        }
        writer.request(.remove(key)) { _ in completion?() }
    }

    /// Empties the tiers: memory at once, the disk on the cache's threads; queries find nothing from now on. Files that
    /// cannot be removed are found again when `completion` is called, and one warning is logged;
    /// ``DiskCache/removeAll()`` throws.
    ///
    /// - Parameter completion: Called once: before this returns when only memory is given, else on the cache's threads.
    public func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        writer.noteClearing()
        if tiers.contains(.memory) { memoryCache.removeAll() }
        guard tiers.contains(.disk) else {
            completion?()
            return
        }
        writer.request(.removeAll) { _ in completion?() }
    }
}

// MARK: - Files that are out of date

extension ImageCache {
    /// Whether an entry was made of the file that the disk has of its original now, which another process may have replaced;
    /// true where one of both is unknown. Of an original, whether no load has brought a newer one.
    func isCurrent(_ entry: DiskCacheEntry, _ key: CacheKey) -> Bool {
        guard key.isDerived else { return writer.newFile(of: key).map { $0 == entry.textOfFingerprint } ?? true }
        guard let file = entry.fileFingerprint else { return true }
        let original = key.original
        guard let current = writer.newFile(of: original) ?? fileFingerprint(of: original) else { return true }
        return current == file
    }

    /// Whether an entry of a farther tier counts: not a thumbnail of another file than that of which the disk has some, where
    /// the disk does not have the original, which would tell.
    func isCurrentInTier(_ entry: DiskCacheEntry, _ key: CacheKey) -> Bool {
        guard isCurrent(entry, key) else { return false }
        guard key.isDerived, let file = entry.fileFingerprint, let disk = diskCache as? DiskCache,
            fileFingerprint(of: key.original) == nil
        else { return true }
        return !disk.hasDerived(from: key.original, ofOtherThan: file)
    }

    private func fileFingerprint(of original: CacheKey) -> String? {
        switch writer.contents(of: original) {
        case .entry(let entry): entry.textOfFingerprint
        // A picture of the app's, from which nothing was made yet.
        case .encoding: ""
        case .nothing: nil
        case nil: diskCache.fileFingerprint(for: original)
        }
    }

    /// Removes from memory what was made from another file than the one that is stored now.
    ///
    /// - Parameter entry: nil for a picture that has no file yet.
    func endOthersInMemory(of key: CacheKey, thanOf entry: DiskCacheEntry?) {
        guard !key.isDerived, !key.isPartialBody else { return }
        let files = Set(memoryCache.images(of: key).compactMap { $0.source?.text })
        // Only then is the file worth a look at all of its bytes.
        guard !files.isEmpty else { return }
        if files != entry.map({ [$0.textOfFingerprint] }) ?? [] { memoryCache.remove(for: key) }
    }
}
