import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension LoadStages {
    /// Notes what the server has said of a cached picture, which is current: in memory, and in its file (RFC 9111 §4.3.4).
    ///
    /// - Parameter completion: Gets the picture with the new fields: at once, or after the write for a load that waits for
    ///   its stores.
    func freshen(
        _ cached: CachedPicture, _ answer: CurrentAnswer, completion: @escaping @Sendable (CachedPicture) -> Void
    ) {
        let now = shared.now()
        let (record, isValidated) = record(of: cached, after: answer, at: now)
        guard let record else {
            return completion(cached.validated(cached.result?.validated(isValidated, answer), cached.file))
        }
        let response = plan.answer(of: record, at: now).response
        let file = cached.file.map {
            StoredFile($0, record: record, answer: response, isValidated: isValidated, metrics: answer.metrics)
        }
        let fresh = cached.validated(freshened(cached, record)?.validated(isValidated, answer, response), file)
        guard let file, mayNote(file), plan.isNews(record, after: cached.record) else { return completion(fresh) }
        let isAwaited = plan.options.contains(.waitStoreCache)
        UnfinishedWrites.shared.begin()
        write(file) {
            UnfinishedWrites.shared.end()
            // Not on the cache's thread, where a caller with an immediate callback would delay other files.
            if isAwaited { shared.queue.submit(priority: plan.priority) { completion(fresh) } }
        }
        if !isAwaited { completion(fresh) }
    }

    /// The new record of the cached picture; nil where it had none.
    private func record(
        of cached: CachedPicture, after answer: CurrentAnswer, at now: Date
    ) -> (HTTPRecord?, isValidated: Bool) {
        switch answer.form {
        case .notModified(let response):
            (cached.record.map { plan.record($0, updatedBy: response, answer.metrics, at: now) }, true)
        case .sameBytes(let record): (record.withThumbHash(of: cached.record), false)
        }
    }

    /// The decoded picture with its new record, also in memory.
    private func freshened(_ cached: CachedPicture, _ record: HTTPRecord) -> LoadResult? {
        guard var result = cached.result, plan.followsServer else { return cached.result }
        var origin = result.image.origin
        origin.record = record
        result.image = result.image.made(from: origin)
        if plan.storeTiers.contains(.memory) {
            plan.storeInMemory(result.image, at: cached.file?.generation ?? plan.generation)
        }
        return result
    }

    /// A server whose certificate was not checked says nothing about a file that is for loads that check.
    private func mayNote(_ file: StoredFile) -> Bool {
        plan.originalStoreTiers.union(plan.storeTiers).contains(.disk)
            && (file.entry.rights.acceptsAnyCertificate || !plan.rights.acceptsAnyCertificate)
    }

    private func write(_ file: StoredFile, completion: @escaping @Sendable () -> Void) {
        // The cache that was read: a picture that is its own original is the finished picture.
        let (place, key) = (plan.isDerived ? DiskFile.original : .result, plan.keys.original)
        let generation = plan.generation
        _ = plan.cache(of: place).queryDisk(for: key, priority: plan.priority) { [plan] result in
            // Another load may have stored a newer file meanwhile.
            guard case .success(let current?) = result, current.data == file.entry.data else { return completion() }
            plan.storeOnDisk(file.entry, for: key, inCacheOf: place, at: generation, completion: completion)
        }
    }
}

extension LoadResult {
    /// The same picture after the server has said that it is current.
    ///
    /// - Parameter response: What has become of the stored response; nil for a picture without one.
    fileprivate func validated(
        _ isValidated: Bool, _ answer: CurrentAnswer, _ response: HTTPResponse? = nil
    ) -> LoadResult {
        var result = self
        result.isValidated = isValidated
        result.isStale = false
        result.metrics = answer.metrics
        if let response { result.http = response }
        return result
    }
}
