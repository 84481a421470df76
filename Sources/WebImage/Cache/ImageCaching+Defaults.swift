import FoundationEssentials

// What follows from the calls that every cache brings.
extension ImageCaching {
    /// For caches that know no dates: a picture with one is not kept, since it would be found for too long.
    public func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        if expiresAt == nil { storeInMemory(image, for: key) } else { remove(for: key, from: .memory, completion: nil) }
    }

    /// 0: the cache does not count.
    public func generation(of keys: [CacheKey]) -> Int { 0 }

    /// Asks for the generation, and stores.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        guard self.generation(of: keys) == generation else {
            completion?(.success(()))
            return
        }
        storeOnDisk(entry, for: key, completion: completion)
    }

    /// Removes all that memory has under the key.
    public func removeOlder(than image: Image, for key: CacheKey) { remove(for: key, from: .memory, completion: nil) }

    /// nil: thumbnails are made of files.
    public var sizesInMemory: SizesInMemory? { nil }

    /// Looks into memory, and reads the disk where that has nothing.
    public func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void
    ) {
        if tiers.contains(.memory), imageFromMemory(for: key) != nil { return completion(.memory) }
        guard tiers.contains(.disk) else { return completion(.none) }
        _ = queryDisk(for: key, priority: .normal) { result in
            completion((try? result.get()) == nil ? .none : .disk)
        }
    }

    /// Puts the picture into memory before this returns, and has the file encoded, where need be, and written.
    public func store(_ record: ImageCacheRecord, completion: ImageCacheRecord.Completion?) {
        record.storeImage(in: self)
        guard record.isForDisk else {
            completion?(.success(()))
            return
        }
        if let data = record.knownData { return store(record.entry(of: data), record, completion) }
        JobQueue.decoding.submit {
            do throws(WebImageError) {
                guard let entry = try record.makeEntry() else { return record.end(.success(()), completion) }
                store(entry, record, completion)
            } catch {
                record.end(.failure(error), completion)
            }
        }
    }

    private func store(
        _ entry: DiskCacheEntry, _ record: ImageCacheRecord, _ completion: ImageCacheRecord.Completion?
    ) {
        storeOnDisk(entry, for: record.key) { record.end($0, completion) }
    }
}
