import FoundationEssentials
import WebImageCore

extension ImageCache {
    /// Puts the picture into memory before this returns, unless the settings exclude that; encodes the file where
    /// necessary, and writes it, in the order of the calls. Queries find it from now on.
    ///
    /// A record is not written if another store, a removal or a clearing follows before it is encoded.
    public func store(_ record: ImageCacheRecord, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?) {
        writer.noteChange(of: record.key)
        endOthersInMemory(of: record.key, thanOf: record.knownData.map(record.entry))
        if let image = record.imageForMemory { storeInMemory(image, for: record.key, expiresAt: record.expiresAt) }
        // Counted again when the file is noted: a load that read before that has read the old file.
        defer { writer.noteChange(of: record.key) }
        guard record.isForDisk else {
            completion?(.success(()))
            return
        }
        if let data = record.knownData, !(storesThumbHashes && record.image != nil) {
            return storeOnDisk(record.entry(of: data), for: record.key) { record.end($0, completion) }
        }
        let number = writer.beginEncoding(record)
        // Not on the queue for writes: an encoder takes longer than all writes that wait there.
        JobQueue.decoding.submit { self.encode(record, number, completion) }
    }

    private func encode(
        _ record: ImageCacheRecord, _ number: Int, _ completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        let entry = Result { () throws(WebImageError) in try record.makeEntry(withThumbHash: storesThumbHashes) }
        writer.endEncoding(number, of: record.key, (try? entry.get()) ?? nil) { written in
            record.end(entry.flatMap { _ in written }, completion)
        }
    }

    /// A number that is another one after each change of `keys`; see ``ImageCaching/generation(of:)``.
    public func generation(of keys: [CacheKey]) -> Int { writer.generation(of: keys) }

    /// Writes bytes to disk as ``storeOnDisk(_:for:completion:)`` does, unless the generation of `keys` has changed.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        writer.request(.store(entry, key), ifStill: (generation, keys), completion: completion)
    }

    /// Removes from memory the pictures that were made of another file than `image`, and from the disk the thumbnails and
    /// transformed pictures that were, and counts that as a change.
    public func removeOlder(than image: Image, for key: CacheKey) {
        writer.noteChange(of: key)
        memoryCache.removeOlder(than: image, for: key)
        if let file = image.source, !key.isDerived { writer.request(.removeDerived(key, unlessOf: file.text)) }
    }

    /// Writes a file on the calling thread, after all earlier writes. Blocks.
    ///
    /// - Throws: As ``DiskCache/store(_:for:)``.
    public func storeOnDiskBlocking(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        endOthersInMemory(of: key, thanOf: entry)
        try writer.requestBlocking(.store(entry, key))
    }

    /// Removes a picture's file, and those of its thumbnails and transformed pictures, on the calling thread, after all
    /// earlier writes. Blocks.
    ///
    /// - Throws: The disk tier's error; then the file still exists, or one that was made from it.
    public func removeFromDiskBlocking(for key: CacheKey) throws(WebImageError) {
        try writer.requestBlocking(.remove(key))
        if !key.isDerived { try writer.requestBlocking(.removeDerived(key, unlessOf: nil)) }
    }
}
