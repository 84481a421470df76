import FoundationEssentials
import WebImageCache
import WebImageCore
import WebImagePixels

/// The last stage before delivery: stores a load's picture and file in the tiers of its plan.
struct ImageStore: Sendable {
    let plan: LoadPlan
    let shared: SharedStages

    private var queue: JobQueue { shared.queue }

    /// Writes memory before this returns, and the disk later: each file once for all loads that share the work. The
    /// completion is called when everything is written, and what it replaces is removed.
    func store(_ finished: FinishedImage, _ encoded: EncodedImage, completion: @escaping @Sendable () -> Void) {
        let replacesStored = encoded.replacesStored
        if replacesStored { plan.removeOlder(than: finished.image.image) }
        // Counted before the new picture gets into memory, which it would be too old for otherwise.
        let outdated = replacesStored && encoded.keeping != .anywhere ? plan.olderFiles : []
        let removals = pending(outdated.count, completion)
        for file in outdated { remove(file.key, of: file.cache, done: removals) }
        let generation = encoded.stored?.generation ?? finished.decoded.generation ?? plan.generation
        storeInMemory(finished, encoded, generation)
        // Nothing is written if older files are removed.
        let files = self.files(of: finished, encoded, generation)
        let writes = pending(files.count, completion)
        for file in files { file.owner.writeOnce(file.name, completion: writes) { write(file, done: $0) } }
        if !isAwaited || files.isEmpty && outdated.isEmpty { completion() }
    }

    private var isAwaited: Bool { plan.options.contains(.waitStoreCache) }

    /// A step of `count` ones, after which a load that waits for its stores goes on.
    private func pending(_ count: Int, _ completion: @escaping @Sendable () -> Void) -> DecodedImage.Completion {
        let isAwaited = isAwaited
        let countdown = Countdown(from: count) {
            // Not on the cache's thread, where a caller with an immediate callback would delay other files.
            if isAwaited { queue.submit(priority: plan.priority, completion) }
        }
        return countdown.step
    }

    private func remove(_ key: CacheKey, of cache: any ImageCaching, done: @escaping DecodedImage.Completion) {
        UnfinishedWrites.shared.begin()
        cache.remove(for: key, from: .disk) {
            UnfinishedWrites.shared.end()
            done()
        }
    }

    private func storeInMemory(_ finished: FinishedImage, _ encoded: EncodedImage, _ generation: Int) {
        if !finished.image.isStored, plan.storeTiers.contains(.memory) {
            plan.storeInMemory(finished.image.image, at: generation)
        }
        let original = finished.decoded
        guard plan.storesOriginalInMemory, original !== finished.image, !original.isStored, encoded.source != .memory
        else { return }
        plan.storeInMemory(original.image, for: plan.keys.original, of: plan.originalCache, at: generation)
    }

    private func files(
        of finished: FinishedImage, _ encoded: EncodedImage, _ generation: Int
    ) -> [StoredPicture] {
        guard finished.decoded.image.origin.keeping == .anywhere else { return [] }
        var files: [StoredPicture] = []
        if encoded.isLoaded, !finished.decoded.isStored {
            files = originals(of: finished, encoded)
        }
        let picture = finished.image.image
        let isDerived = plan.isThumbnail || picture.metadata.isTransformed
        if plan.storesResultOnDisk, isDerived, !finished.image.isStored, encoded.source != .disk(.result),
            isWhole(finished)
        {
            files.append(
                StoredPicture(
                    owner: finished.image, image: picture, key: plan.keys.result, cache: plan.cache,
                    identity: plan.cacheIdentity, hashed: plan.cache.storesThumbHashes ? picture : nil,
                    rights: picture.origin.rights, generation: generation))
        }
        return files
    }

    /// Whether a file of one frame contains everything that other loads may need of the picture. Animations are made
    /// from their original each time; of pictures decoded as a first frame, only a JPEG is known to have no others.
    private func isWhole(_ finished: FinishedImage) -> Bool {
        let image = finished.image.image
        if plan.decodeOptions.decodesFirstFrameOnly, image.metadata.format != .jpeg { return false }
        return image.animation == nil && !finished.decoded.image.isAnimated
    }

    /// The original file, once for each cache that gets it.
    private func originals(of finished: FinishedImage, _ encoded: EncodedImage) -> [StoredPicture] {
        plan.cachesOfOriginalFile.map { cache in
            StoredPicture(
                owner: finished.decoded, image: plan.isThumbnail ? nil : finished.decoded.image,
                original: encoded, key: plan.keys.original, cache: cache,
                identity: plan.context.originalCache == nil ? plan.cacheIdentity : CollaboratorIdentity(cache),
                hashed: cache.storesThumbHashes && showsFile(finished) ? finished.decoded.image : nil,
                rights: finished.decoded.image.origin.rights)
        }
    }

    private func showsFile(_ finished: FinishedImage) -> Bool {
        plan.decodeOptions.showsFile && finished.decoded.region == nil
    }

    private func write(_ file: StoredPicture, done: @escaping DecodedImage.Completion) {
        let (writes, name, byteCount) = (shared.writes, file.name, file.byteCount)
        guard let number = writes.begin(name, byteCount: byteCount, isAwaited: isAwaited) else {
            shared.warnings.warnOnce(
                about: "backlog",
                "a picture is not written to the disk cache, because the disk is too slow and too many bytes are queued: "
                    + "\(plan.url)")
            return done()
        }
        let done: DecodedImage.Completion = {
            writes.end(number, of: name, byteCount: byteCount)
            done()
        }
        if let original = file.original, plan.context.cacheSerializer == nil, file.hashed == nil {
            return store(original.data, of: file, done: done)
        }
        // A picture that is removed before this is done stays removed.
        let generation = file.hashed == nil ? nil : file.cache.generation(of: [file.key])
        // The file is not needed before the next start of the program, unless a caller waits for it now.
        queue.submit(priority: isAwaited ? plan.priority : .low) {
            guard writes.isLatest(number, of: name), let data = bytes(of: file), writes.isLatest(number, of: name)
            else { return done() }
            store(data, of: file, ifStill: generation, done: done)
        }
    }

    private func store(
        _ data: Data, of file: StoredPicture, ifStill before: Int? = nil, done: @escaping DecodedImage.Completion
    ) {
        let metadata = file.image?.metadata
        var entry = DiskCacheEntry(
            data: data, storedAt: file.original?.record?.storedAt ?? shared.now(),
            extendedData: metadata?.extendedData,
            // A thumbnail is as old as the file that it is made of.
            createdAt: file.original == nil ? file.image?.origin.createdAt : nil, expiresAt: file.image?.expiresAt,
            originalPixelSize: file.original == nil ? metadata?.wholePixelSize : nil)
        if let record = file.original?.record { entry.fields = record.fields }
        if let original = file.original?.fingerprint, plan.context.cacheSerializer != nil {
            entry.headers[HTTPRecord.original] = original.text
        } else if file.original == nil, let original = file.image?.source {
            entry.fields = .decoded([HTTPRecord.original: original.text])
        }
        entry.rights = file.rights
        if let image = file.hashed { entry.thumbHash = try? ThumbHash(of: image.bitmap) }
        if let generation = file.generation {
            plan.storeOnDisk(entry, for: file.key, inCacheOf: .result, at: generation, completion: done)
        } else if let before {
            file.cache.storeOnDisk(entry, for: file.key, ifStill: before, of: [file.key]) { _ in done() }
        } else {
            file.cache.storeOnDisk(entry, for: file.key) { _ in done() }
        }
    }

    private func bytes(of file: StoredPicture) -> Data? {
        let serializer = plan.context.cacheSerializer
        if let data = serializer?.data(for: file.image, originalData: file.original?.data, url: plan.url) {
            return data
        }
        if let original = file.original { return original.data }
        guard let image = file.image else { return nil }
        do throws(WebImageError) {
            return try plan.coder.encodeForCache(image, options: plan.encodeOptions)
        } catch {
            shared.warnings.warnOnce(
                about: "encode \(error.reason)", "a picture is not written to the disk cache: \(error.about(plan.url))")
            return nil
        }
    }
}

/// One file to be written.
private struct StoredPicture {
    /// Records whether it was written.
    let owner: DecodedImage
    let image: Image?
    /// The original bytes; nil for a picture that is to be encoded.
    var original: EncodedImage?
    let key: CacheKey
    let cache: any ImageCaching
    let identity: CollaboratorIdentity
    /// The picture whose hash is stored with it; nil for none.
    let hashed: Image?
    /// Those with which its bytes were got.
    let rights: LoadRights
    /// The generation of its source; nil for an original file.
    var generation: Int?

    /// Bytes that stay in memory until it is written.
    var byteCount: Int { original?.data.count ?? image?.memoryCost ?? 0 }

    var name: StoredName { StoredName(key: key, cache: identity) }
}

extension ImageDecodeOptions {
    /// Whether the pixels look like the file as it is usually shown, in any size.
    fileprivate var showsFile: Bool { preservesAspectRatio && appliesOrientation && pageIndex == 0 }
}
