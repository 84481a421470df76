import FoundationEssentials

/// The doings of one load: each stage asks its station and answers with what the state machine takes.
struct LoadStages: Sendable {
    let plan: LoadPlan
    let shared: SharedStages
    let settings: LoadSettings

    // MARK: Disk

    func queryDisk(
        _ file: DiskFile, priority: LoadPriority,
        completion: @escaping @Sendable (StoredFile?) -> Void
    ) -> any CancellableTask {
        read(file, isInline: plan.options.contains(.queryDiskDataSync), priority, completion)
    }

    /// Reads the file of a picture that is there already. Only its bytes are worth blocking the caller for.
    func readFile(
        _ file: DiskFile, priority: LoadPriority,
        completion: @escaping @Sendable (StoredFile?) -> Void
    ) -> any CancellableTask {
        read(file, isInline: file == .result && plan.options.contains(.queryMemoryDataSync), priority, completion)
    }

    private func read(
        _ file: DiskFile, isInline: Bool, _ priority: LoadPriority,
        _ completion: @escaping @Sendable (StoredFile?) -> Void
    ) -> any CancellableTask {
        guard plan.reads(file) else {
            completion(nil)
            return EndedLoadTask()
        }
        let generation = plan.generation
        if isInline {
            let result = Result { () throws(WebImageError) in try cache(of: file).readDisk(for: key(of: file)) }
            completion(stored(result, generation))
            return EndedLoadTask()
        }
        return cache(of: file).queryDisk(for: key(of: file), priority: priority) { completion(stored($0, generation)) }
    }

    /// The original in memory, where that is of use.
    func originalFromMemory() -> DecodedImage? {
        guard plan.readsOriginalFromMemory else { return nil }
        let generation = plan.generation
        return plan.originalCache.imageFromMemory(for: plan.keys.original).map {
            DecodedImage($0, generation: generation)
        }
    }

    func removeFromDisk(_ file: DiskFile) {
        cache(of: file).remove(for: key(of: file), from: .disk, completion: nil)
    }

    /// RFC 9111 §4.3.4: the fields of a 304 take the place of those that were stored.
    func freshen(_ entry: DiskCacheEntry, _ response: HTTPResponse) {
        guard plan.originalStoreTiers.union(plan.storeTiers).contains(.disk) else { return }
        let rules = HTTPCacheRules(headers: entry.headers, storedAt: entry.storedAt)
        var fresh = entry
        fresh.headers = rules.headers(updatedBy: response.headers)
        fresh.storedAt = Date()
        // Where it was read: a picture that is its own original is the finished picture.
        let (cache, key) = (cache(of: plan.isDerived ? .original : .result), plan.keys.original)
        let generation = plan.generation
        _ = cache.queryDisk(for: key, priority: .low) { [plan, fresh] result in
            // Another load may have stored a newer file meanwhile.
            guard case .success(let current?) = result, current.data == entry.data else { return }
            plan.storeOnDisk(fresh, for: key, of: cache, at: generation) {}
        }
    }

    private func stored(_ result: Result<DiskCacheEntry?, WebImageError>, _ generation: CacheGeneration) -> StoredFile?
    {
        switch result {
        case .success(let entry):
            return entry.map { file($0, generation) }
        case .failure(let error):
            // A cache that cannot be read must not keep a picture from being loaded. The built-in one has warned by itself.
            if !error.isCancelled, !(plan.cache is ImageCache) {
                shared.warnings.warnOnce(about: "cache", "a cache cannot be read: \(error)")
            }
            return nil
        }
    }

    /// Only a load that refreshes asks how a file stands to the server's.
    private func file(_ entry: DiskCacheEntry, _ generation: CacheGeneration) -> StoredFile {
        guard plan.refreshes else { return StoredFile(entry: entry, isFresh: false, generation: generation) }
        return StoredFile(
            entry: entry, isFresh: entry.isFresh, fingerprint: FileFingerprint(entry.data), generation: generation)
    }

    private func cache(of file: DiskFile) -> any ImageCaching {
        file == .original ? plan.originalCache : plan.cache
    }

    private func key(of file: DiskFile) -> CacheKey {
        file == .original ? plan.keys.original : plan.keys.result
    }

    // MARK: Loading

    /// Why the load may not ask its loader; nil when it may.
    func refusal() -> WebImageError? {
        if let delegate = settings.delegate, !delegate.shouldDownloadImage(for: plan.url) {
            return .notAllowed(plan.url)
        }
        return plan.loader.canLoad(plan.url) ? nil : .unsupportedScheme(plan.url)
    }

    func load(
        _ cached: CachedPicture?, priority: LoadPriority, progress: @escaping @Sendable (LoadProgress) -> Void,
        partial: @escaping @Sendable (Image) -> Void, preview: @escaping @Sendable (Image) -> Void,
        completion: @escaping @Sendable (Result<ImageLoadResponse, WebImageError>) -> Void
    ) -> any CancellableTask {
        let partials =
            cached == nil
            ? ProgressiveDecoding(plan: plan, shared: shared, priority: priority, partial: partial, preview: preview)
            : nil
        var request = ImageLoadRequest(plan: plan, cached: cached, priority: priority)
        request.reportsData = partials != nil
        let task = plan.loader.load(request) { event in
            switch event {
            case .progress(let value): progress(value)
            case .data(let bytes): partials?.append(bytes)
            case .finished(let result):
                partials?.stop()
                completion(result.mapError { $0.about(plan.url) })
            }
        }
        return partials.map { ProgressiveLoadTask(task, partials: $0) } ?? task
    }

    // MARK: Pixels

    func decode(
        _ encoded: EncodedImage, priority: LoadPriority, completion: @escaping @Sendable (DecodeStage.Outcome) -> Void
    ) -> any CancellableTask {
        let stage = DecodeStage(plan: plan, shared: shared)
        guard worksInline(encoded) else {
            // A load that shares the decode may know the file by another address.
            return stage.decode(encoded, priority: priority) { completion($0.mapError { $0.about(plan.url) }) }
        }
        completion(stage.decodeNow(encoded))
        return EndedLoadTask()
    }

    func transform(
        _ decoded: DecodedImage, _ encoded: EncodedImage, priority: LoadPriority,
        completion: @escaping @Sendable (DecodedImage) -> Void
    ) -> any CancellableTask {
        let stage = TransformStage(plan: plan, shared: shared)
        guard worksInline(encoded) else {
            return stage.transform(decoded, from: encoded.source, priority: priority, completion: completion)
        }
        completion(stage.transformNow(decoded, from: encoded.source))
        return EndedLoadTask()
    }

    func store(_ finished: FinishedImage, _ encoded: EncodedImage, completion: @escaping @Sendable () -> Void) {
        ImageStore(plan: plan, shared: shared).store(finished, encoded, completion: completion)
    }

    private func worksInline(_ encoded: EncodedImage) -> Bool {
        encoded.source != .loader && plan.options.contains(.queryDiskDataSync) && !encoded.isToBeRefreshed
    }

    // MARK: The end

    /// Takes note of a load that has ended by itself: whether its URL will be refused from now on.
    func note(_ outcome: Result<LoadResult, WebImageError>) {
        switch outcome {
        case .success:
            if plan.options.contains(.retryFailed) { shared.failedURLs.remove(plan.url) }
        case .failure(let error):
            guard !error.isCancelled, blocks(error) else { return }
            shared.failedURLs.insert(plan.url, error)
        }
    }

    private func blocks(_ error: WebImageError) -> Bool {
        // Nobody was asked for it.
        guard error.code != .notCached else { return false }
        if let decision = settings.delegate?.shouldBlockFailedURL(plan.url, error: error) { return decision }
        // Whatever the server says now, the picture that is there stays within reach.
        if plan.refreshes, plan.imageFromMemory() != nil { return false }
        // What this load's settings forbid, or its loader does not take, another load may well get.
        guard error.kind != .policy, plan.loader.canLoad(plan.url) else { return false }
        return plan.loader.shouldBlockFailedURL(plan.url, error: error)
    }
}

extension ImageLoadRequest {
    /// What the load of `plan` asks its loader for.
    ///
    /// - Parameter cached: The picture that is to be refreshed.
    init(plan: LoadPlan, cached: CachedPicture?, priority: LoadPriority) {
        let context = plan.context
        self.init(url: plan.url, priority: priority, headers: context.httpHeaders, timeout: context.timeout)
        options = plan.options
        self.context = context
        credential = context.downloadCredential
        usesCookies = plan.options.contains(.handleCookies)
        allowsInvalidCertificates = plan.options.contains(.allowInvalidSSLCertificates)
        requestModifier = context.downloadRequestModifier
        responseModifier = context.downloadResponseModifier
        decryptor = context.downloadDecryptor
        guard let cached else { return }
        cachedImage = cached.result.image
        self.context.loaderCachedImage = cachedImage
        if let entry = cached.file?.entry {
            validators = HTTPCacheRules(headers: entry.headers, storedAt: entry.storedAt).validators
        }
    }
}

extension DiskCacheEntry {
    fileprivate var isFresh: Bool { HTTPCacheRules(headers: headers, storedAt: storedAt).isFresh(at: Date()) }
}

extension WebImageError {
    fileprivate static func notAllowed(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .request, kind: .policy,
            reason: "the picture is in no cache, and the manager's delegate does not let it be loaded; "
                + "see shouldDownloadImage(for:)", url: url)
    }
}
