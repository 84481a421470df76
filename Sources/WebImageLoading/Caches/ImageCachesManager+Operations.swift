import FoundationEssentials
import WebImageCore

// MARK: - Memory, and blocking calls

extension ImageCachesManager {
    /// The first picture in the memory of the caches chosen for queries, the highest first.
    public func imageFromMemory(for key: CacheKey) -> Image? {
        caches(for: \.query).caches.lazy.compactMap { $0.imageFromMemory(for: key) }.first
    }

    /// The pictures in the memory of all caches chosen for queries.
    public func imagesFromMemory(of key: CacheKey) -> [Image] {
        caches(for: \.query).caches.flatMap { $0.imagesFromMemory(of: key) }
    }

    /// Puts a picture into the memory of all caches chosen for stores.
    public func storeInMemory(_ image: Image, for key: CacheKey) {
        storeInMemory(image, for: key, expiresAt: nil)
    }

    /// Puts a picture with an expiry date into the memory of all caches chosen for stores.
    public func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        for cache in caches(for: \.store).caches { cache.storeInMemory(image, for: key, expiresAt: expiresAt) }
    }

    /// The file of the first entry on the disks of the caches chosen for queries.
    public func openFile(for key: CacheKey) -> RandomAccessFile? {
        caches(for: \.query).caches.lazy.compactMap { $0.openFile(for: key) }.first
    }

    /// The first entry on the disks of the caches chosen for queries, the highest first, on the calling thread. Blocks.
    ///
    /// - Throws: The first error, where no cache has an entry.
    public func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        var failure: WebImageError?
        for cache in caches(for: \.query).caches {
            do throws(WebImageError) {
                if let entry = try cache.queryDiskBlocking(for: key) { return entry }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }
}

// MARK: - Searches

extension ImageCachesManager {
    /// Reads the bytes on the disks of the caches chosen for queries.
    ///
    /// - Parameter completion: The first entry; nil when no cache has one; the first error when one cannot be read and
    ///   none has one; ``WebImageError/Code/cancelled`` at once where `cancel()` is called.
    public func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        run(\.query, .search(), completion) { $0.queryDisk(for: key, priority: priority, completion: $1) }
    }

    /// Reads an entry without its bytes from the disks of the caches chosen for queries: the first one.
    public func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        let rules = CachesOperation<DiskCacheEntry?>.Rules(
            none: nil, cancelled: nil, isFinal: { $0 != nil }, isWorthKeeping: { _ in false })
        run(\.query, rules, completion) { cache, answer in
            cache.queryHead(for: key, completion: answer)
            return nil
        }
    }

    /// Looks for a picture, each cache's memory before its disk, in the order of the policy for queries.
    public func queryImage(
        _ query: ImageCacheQuery, completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void
    ) -> ImageCacheToken? {
        let operation = run(
            \.query, .search(),
            { result in
                // Caches call back on the queue of the context; the operation calls back where it is cancelled.
                guard case .failure(let error) = result, error.isCancelled else { return completion(result) }
                (query.context.callbackQueue ?? .main).run { completion(result) }
            }
        ) { $0.queryImage(query, completion: $1) }
        return operation.isOver ? nil : ImageCacheToken(key: query.key, task: operation)
    }

    /// Finds out which tier has a key, in the order of the policy for that.
    public func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void
    ) {
        let rules = CachesOperation<ImageCacheType>.Rules(
            none: .noCache, cancelled: .noCache, isFinal: { $0 != .noCache }, isWorthKeeping: { _ in false })
        run(\.contains, rules, completion) { cache, answer in
            cache.contains(key, in: tiers, completion: answer)
            return nil
        }
    }
}

// MARK: - Changes

extension ImageCachesManager {
    /// Writes bytes to the disks of the caches chosen for stores; the completion gets the first error, if there was
    /// one.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        run(\.store, .change, { completion?($0) }) { cache, answer in
            cache.storeOnDisk(entry, for: key, completion: answer)
            return nil
        }
    }

    /// The generations of all caches, added up.
    public func generation(of keys: [CacheKey]) -> Int { caches.reduce(0) { $0 + $1.generation(of: keys) } }

    /// Writes bytes to the disks of the caches chosen for stores, unless the generation of `keys` has changed.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        run(\.store, .change, { completion?($0) }) { cache, answer in
            // In this order: if the sum is unchanged afterwards, so is each part.
            let part = cache.generation(of: keys)
            if self.generation(of: keys) == generation {
                cache.storeOnDisk(entry, for: key, ifStill: part, of: keys, completion: answer)
            } else {
                answer(.success(()))
            }
            return nil
        }
    }

    /// Removes from all caches the pictures that were made of another file than `image`.
    public func removeOlder(than image: Image, for key: CacheKey) {
        for cache in caches { cache.removeOlder(than: image, for: key) }
    }

    /// Whether any of the caches stores files with the hashes of their pictures.
    public var storesThumbHashes: Bool { caches.contains { $0.storesThumbHashes } }

    /// Stores a picture, its file, or both in the caches chosen for stores.
    public func store(_ record: ImageCacheRecord, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?) {
        run(\.store, .change, { completion?($0) }) { cache, answer in
            cache.store(record, completion: answer)
            return nil
        }
    }

    /// Removes a picture, with all that was made from it, from the caches chosen for removals.
    public func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        run(\.remove, .change, { _ in completion?() }) { cache, answer in
            cache.remove(for: key, from: tiers) { answer(.success(())) }
            return nil
        }
    }

    /// Removes a picture, and nothing that was made from it, from the caches chosen for removals.
    public func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        run(\.remove, .change, { _ in completion?() }) { cache, answer in
            cache.removeAlone(for: key, from: tiers) { answer(.success(())) }
            return nil
        }
    }

    /// Empties the caches chosen for clearing.
    public func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        run(\.clear, .change, { _ in completion?() }) { cache, answer in
            cache.clear(tiers) { answer(.success(())) }
            return nil
        }
    }

    @discardableResult
    private func run<Answer: Sendable>(
        _ policy: KeyPath<Settings, ImageCachesManagerOperationPolicy>, _ rules: CachesOperation<Answer>.Rules,
        _ completion: @escaping @Sendable (Answer) -> Void, ask: @escaping CachesOperation<Answer>.Ask
    ) -> CachesOperation<Answer> {
        let (caches, width) = caches(for: policy)
        let operation = CachesOperation(caches, rules: rules, ask: ask, completion: completion)
        operation.start(width: width)
        return operation
    }
}

extension CachesOperation.Rules {
    /// Ends with the first result.
    fileprivate static func search<Found: Sendable>() -> Self where Answer == Result<Found?, WebImageError> {
        Self(
            none: .success(nil), cancelled: .failure(.cancelled()),
            isFinal: { if case .success(.some) = $0 { true } else { false } },
            isWorthKeeping: { if case .failure = $0 { true } else { false } })
    }
}

extension CachesOperation.Rules where Answer == Result<Void, WebImageError> {
    /// Ends when all caches are done, with the first error.
    fileprivate static var change: Self {
        Self(
            none: .success(()), cancelled: .failure(.cancelled()), isFinal: { _ in false },
            isWorthKeeping: { if case .failure = $0 { true } else { false } })
    }
}
