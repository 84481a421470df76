import FoundationEssentials
import WebImageCache
import WebImageCore
import WebImageHTTP

/// The work of one load: each function does the work of one stage and returns an event of the state machine.
struct LoadStages: Sendable {
    let plan: LoadPlan
    let shared: SharedStages
    let settings: LoadSettings

    // MARK: Disk

    /// - Parameter isInline: Whether the file is read on this thread.
    func read(
        _ file: DiskFile, isInline: Bool, priority: LoadPriority, completion: @escaping @Sendable (StoredFile?) -> Void
    ) -> any CancellableTask {
        guard plan.reads(file) else {
            completion(nil)
            return EndedLoadTask()
        }
        let generation = plan.generation
        if isInline {
            let result = Result { () throws(WebImageError) in
                try plan.cache(of: file).queryDiskBlocking(for: key(of: file))
            }
            completion(stored(result, generation))
            return EndedLoadTask()
        }
        return plan.cache(of: file).queryDisk(for: key(of: file), priority: priority) {
            completion(stored($0, generation))
        }
    }

    /// The original in memory, where it is of use.
    func originalFromMemory() -> DecodedImage? {
        guard plan.readsOriginalFromMemory else { return nil }
        let generation = plan.generation
        return plan.imageFromMemory(of: plan.originalCache, for: plan.keys.original).map {
            DecodedImage($0, generation: generation)
        }
    }

    func removeFromDisk(_ file: DiskFile) {
        plan.cache(of: file).removeAlone(for: key(of: file), from: .disk, completion: nil)
    }

    private func stored(_ result: Result<DiskCacheEntry?, WebImageError>, _ generation: Int) -> StoredFile? {
        switch result {
        case .success(let entry?) where plan.maySee(entry.rights):
            guard plan.revalidates else { return StoredFile(entry: entry, generation: generation) }
            var entry = entry
            // Decoded once, for all that the rules look up.
            entry.fields = .decoded(entry.fields.dictionary)
            let record = HTTPRecord(fields: entry.fields, storedAt: entry.storedAt)
            let (use, answer) = plan.judgement(of: record, at: shared.now())
            let file = StoredFile(entry: entry, use: use, answer: answer, generation: generation)
            return plan.requestedRange.map { file.part($0) } ?? file
        case .success:
            return nil
        case .failure(let error):
            // A cache that cannot be read must not prevent the load of a picture.
            if !error.isCancelled, !error.isLogged {
                shared.warnings.warnOnce(about: "cache", "a cache cannot be read: \(error)")
            }
            return nil
        }
    }

    private func key(of file: DiskFile) -> CacheKey {
        file == .original ? plan.keys.original : plan.keys.result
    }

    // MARK: Loading

    /// Why the load may not use its loader; nil when it may.
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
        let task = resume(request, PartialBodies(plan, cached: cached, settings: settings)) { event in
            switch event {
            case .progress(let value): progress(value)
            case .data(let bytes): partials?.append(bytes)
            case .finished(let result):
                partials?.stop()
                let outcome = result.map(received).mapError { $0.about(plan.url) }
                removeInvalidated(by: outcome) { completion(outcome) }
            }
        }
        return partials.map { ProgressiveLoadTask(task, partials: $0) } ?? task
    }

    private func received(_ response: ImageLoadResponse) -> ImageLoadResponse {
        plan.recorded(response.fingerprinted, at: shared.now())
    }

    /// Removes what is no longer valid. The load ends after that, so that no later one finds it, in another process
    /// either.
    private func removeInvalidated(
        by outcome: Result<ImageLoadResponse, WebImageError>, completion: @escaping @Sendable () -> Void
    ) {
        let keys = (try? outcome.get()).map(plan.invalidated) ?? []
        guard !keys.isEmpty else { return completion() }
        let caches = [plan.cache, plan.context.originalCache].compactMap(\.self)
        let removals = Countdown(from: keys.count * caches.count, completion: completion)
        for key in keys {
            for cache in caches { cache.remove(for: key, from: .all, completion: removals.step) }
        }
    }

    /// Starts the loader, after what an interrupted transfer has left.
    private func resume(
        _ request: ImageLoadRequest, _ bodies: PartialBodies?, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        guard let bodies else { return plan.loader.load(request, receive: receive) }
        let task = ResumedLoad()
        task.start(query: { bodies.query(priority: request.priority, completion: $0) }) { [plan] body in
            var request = request
            request.partialBody = body
            if body != nil { task.hasPartialBody() }
            request.keepPartialBody = { body in
                task.hasPartialBody()
                bodies.store(body)
            }
            return plan.loader.load(request) { event in
                if case .finished(.success) = event, task.keepsPartialBody { bodies.remove() }
                if case .finished = event { task.end() }
                receive(event)
            }
        }
        return task
    }

    // MARK: Pixels

    var decoding: DecodeStage { DecodeStage(plan: plan, shared: shared) }
    var transforming: TransformStage { TransformStage(plan: plan, shared: shared) }
    var storing: ImageStore { ImageStore(plan: plan, shared: shared) }

    // MARK: Failed URLs

    /// Records whether the URL of a load that has ended is refused from now on.
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
        // The URL was not requested.
        guard error.code != .notCached else { return false }
        if let decision = settings.delegate?.shouldBlockFailedURL(plan.url, error: error) { return decision }
        // A picture in memory stays reachable, whatever the server answers now.
        if plan.revalidates, plan.imageFromMemory() != nil { return false }
        // Another load may succeed later, with other settings, or with another loader.
        guard error.kind == .permanent, plan.loader.canLoad(plan.url) else { return false }
        return plan.loader.shouldBlockFailedURL(plan.url, error: error)
    }
}

extension ImageLoadRequest {
    /// The request to the loader for `plan`.
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
        cachedImage = cached.result?.image
        self.context.loaderCachedImage = cachedImage
        if let record = cached.record { validators = plan.validators(of: record) }
    }
}

extension WebImageError {
    fileprivate static func notAllowed(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .request, kind: .policy,
            reason: "the picture is in no cache, and the manager's delegate does not let it be loaded; "
                + "see shouldDownloadImage(for:)", url: url)
    }
}
