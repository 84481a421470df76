import Dispatch
import FoundationEssentials
import WebImageCore

extension ImageCache {
    /// Puts the picture into memory before this returns, unless the settings exclude that; encodes the file where
    /// necessary, and writes it, in the order of the calls. Queries find it from now on.
    ///
    /// A record is not written if another store, a removal or a clearing follows before it is encoded.
    public func store(_ record: ImageCacheRecord, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?) {
        staged.noteChange(of: record.key)
        endOthersInMemory(of: record.key, thanOf: record.knownData.map(record.entry))
        if let image = record.imageForMemory { storeInMemory(image, for: record.key, expiresAt: record.expiresAt) }
        // Counted again when the file is noted: a load that read before that has read the old file.
        defer { staged.noteChange(of: record.key) }
        guard record.isForDisk else {
            completion?(.success(()))
            return
        }
        if let data = record.knownData, !(storesThumbHashes && record.image != nil) {
            return storeOnDisk(record.entry(of: data), for: record.key) { record.end($0, completion) }
        }
        let ticket = staged.begin(.encoding(record), of: record.key)
        // Not on the queue for writes: an encoder takes longer than all writes that wait there.
        JobQueue.decoding.submit { self.encode(record, ticket, completion) }
    }

    private func encode(
        _ record: ImageCacheRecord, _ ticket: Int, _ completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        defer { staged.endEncoding(ticket) }
        do throws(WebImageError) {
            guard let entry = try record.makeEntry(withThumbHash: storesThumbHashes),
                staged.encoded(entry, ticket, of: record.key)
            else {
                return record.end(.success(()), completion)
            }
            write(entry, for: record.key, ticket: ticket, unlessOvertaken: true) { record.end($0, completion) }
        } catch {
            staged.end(ticket, of: record.key)
            record.end(.failure(error), completion)
        }
    }

    /// A number that is another one after each change of `keys`; see ``ImageCaching/generation(of:)``.
    public func generation(of keys: [CacheKey]) -> Int { staged.generation(of: keys) }

    /// Writes bytes to disk as ``storeOnDisk(_:for:completion:)`` does, unless the generation of `keys` has changed, or
    /// another change of `key` is requested before they are written.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        var isWritten = false
        inOrder {
            guard let ticket = staged.begin(.stored(entry), of: key, ifStill: generation, of: keys) else { return }
            isWritten = true
            write(entry, for: key, ticket: ticket, unlessOvertaken: true, completion: completion)
        }
        if !isWritten { completion?(.success(())) }
    }

    /// Removes from memory the pictures that were made of another file than `image`, and from the disk the thumbnails and
    /// transformed pictures that were, and counts that as a change.
    public func removeOlder(than image: Image, for key: CacheKey) {
        staged.noteChange(of: key)
        memoryCache.removeOlder(than: image, for: key)
        if let file = image.source { removeDerivedFromDisk(of: key, unlessOf: file.text) }
    }

    /// Writes a file on the calling thread, after all earlier writes. Blocks.
    ///
    /// - Throws: As ``DiskCache/store(_:for:)``.
    public func storeOnDiskBlocking(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        endOthersInMemory(of: key, thanOf: entry)
        try change(key, .stored(entry)) { () throws(WebImageError) in try writeNow(entry, for: key) }
    }

    /// Removes a picture's file, and those of its thumbnails and transformed pictures, on the calling thread, after all
    /// earlier writes. Blocks.
    ///
    /// - Throws: The disk tier's error; then the file still exists, or one that was made from it.
    public func removeFromDiskBlocking(for key: CacheKey) throws(WebImageError) {
        try change(key, .removed) { () throws(WebImageError) in
            try diskCache.remove(for: key)
            if !key.isDerived { try diskCache.removeDerived(from: key, unlessOf: nil) }
        }
    }

    private func change(
        _ key: CacheKey, _ change: StagedWrites.Change, by work: () throws(WebImageError) -> Void
    ) throws(WebImageError) {
        let ticket = staged.begin(change, of: key)
        defer { staged.end(ticket, of: key) }
        // The call comes from a completion of this cache: it already runs on the queue.
        if QueueIdentity(of: writes)?.isCurrent == true { return try work() }
        try writes.sync { Result { () throws(WebImageError) in try work() } }.get()
    }
}
