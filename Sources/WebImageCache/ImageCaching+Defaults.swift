import FoundationEssentials
import WebImageCore

// Default implementations for optional requirements.
extension ImageCaching {
    /// For caches without expiry dates: a picture with a date is not stored, since it would be found after that date.
    public func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        if expiresAt == nil { storeInMemory(image, for: key) } else { remove(for: key, from: .memory, completion: nil) }
    }

    /// None: the cache does not look for them.
    public func imagesFromMemory(of key: CacheKey) -> [Image] { [] }

    /// 0: the cache does not count changes.
    public func generation(of keys: [CacheKey]) -> Int { 0 }

    /// Compares the generation, then stores.
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

    /// Removes all that ``remove(for:from:completion:)`` does.
    public func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        remove(for: key, from: tiers, completion: completion)
    }

    /// Removes all pictures in memory under the key.
    public func removeOlder(than image: Image, for key: CacheKey) { remove(for: key, from: .memory, completion: nil) }

    /// false: files are stored without a hash.
    public var storesThumbHashes: Bool { false }

    /// nil: the cache has no files.
    public func openFile(for key: CacheKey) -> RandomAccessFile? { nil }

    /// Reads the entry with its bytes.
    public func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        _ = queryDisk(for: key, priority: .veryHigh) { completion((try? $0.get()) ?? nil) }
    }

    /// Queries memory, and reads the disk where memory has nothing.
    public func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void
    ) {
        if tiers.contains(.memory), imageFromMemory(for: key) != nil { return completion(.memory) }
        guard tiers.contains(.disk) else { return completion(.noCache) }
        _ = queryDisk(for: key, priority: .normal) { result in
            completion((try? result.get()) == nil ? .noCache : .disk)
        }
    }

    /// Puts the picture into memory before this returns; encodes the file where necessary, and writes it.
    public func store(_ record: ImageCacheRecord, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?) {
        if let image = record.imageForMemory { storeInMemory(image, for: record.key, expiresAt: record.expiresAt) }
        guard record.isForDisk else {
            completion?(.success(()))
            return
        }
        let isHashed = storesThumbHashes && record.image != nil
        if let data = record.knownData, !isHashed { return store(record.entry(of: data), record, completion) }
        JobQueue.decoding.submit {
            do throws(WebImageError) {
                guard let entry = try record.makeEntry(withThumbHash: isHashed) else {
                    return record.end(.success(()), completion)
                }
                store(entry, record, completion)
            } catch {
                record.end(.failure(error), completion)
            }
        }
    }

    private func store(
        _ entry: DiskCacheEntry, _ record: ImageCacheRecord,
        _ completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        storeOnDisk(entry, for: record.key) { record.end($0, completion) }
    }
}
