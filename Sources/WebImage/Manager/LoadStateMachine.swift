import FoundationEssentials

/// The rules of one load, without its doings: takes what happened, returns what to do.
///
/// A load ends exactly once because only this value decides that it ends, and nothing leads out of ``State/ended``.
struct LoadStateMachine {
    enum State {
        case ready
        /// An interceptor has taken the load over.
        case intercepting
        /// Reading the file of a picture that memory had.
        case readingData(LoadResult)
        case queryingDisk(DiskFile)
        /// Reading what the server said with the picture that is to be refreshed.
        case readingCached(LoadResult)
        case askingToLoad(CachedPicture?)
        case loading(CachedPicture?)
        case decoding(EncodedImage)
        case transforming(DecodedImage, EncodedImage)
        case storing(LoadResult, DecodedImage)
        /// Decided, but not yet told: a cancellation may still overtake a picture that waits for its queue.
        case delivering(LoadEnding)
        case ended
    }

    private(set) var state = State.ready
    private let plan: LoadPlan
    /// Pictures that are to be delivered before the ending.
    private var updates: [LoadUpdate] = []

    init(plan: LoadPlan) { self.plan = plan }

    /// Whether the outcome is still open.
    var isRunning: Bool {
        switch state {
        case .delivering, .ended: false
        default: true
        }
    }

    var isEnded: Bool {
        if case .ended = state { return true }
        return false
    }

    /// What to do now. An event that comes too late, after a cancellation, leads to nothing.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ready, .answered(let outcome)):
            return deliver(outcome)
        case (.ready, .intercepted):
            state = .intercepting
            return [.intercept]
        case (.ready, .started(let image?)):
            return found(image)
        case (.ready, .started):
            return advance(after: nil)
        case (.intercepting, .updated(let update)):
            return deliver(update)
        case (.intercepting, .answered(let outcome)):
            return deliver(outcome)
        case (_, .cancelled):
            return cancel()
        default:
            return handleStage(event)
        }
    }

    /// What to tell next, each once; nil when everything was told or overtaken.
    mutating func takeDelivery() -> Delivery? {
        if !updates.isEmpty { return .update(updates.removeFirst()) }
        guard case .delivering(let ending) = state else { return nil }
        state = .ended
        return .ending(ending)
    }
}

// MARK: - The road

extension LoadStateMachine {
    private mutating func handleStage(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.readingData(var result), .diskAnswered(let file)):
            result.data = file?.entry.data
            return finish(result, from: file)
        case (.queryingDisk(let source), .diskAnswered(let file)):
            guard let file else { return advance(after: source) }
            return decode(EncodedImage(file, from: source))
        case (.queryingDisk(.original), .originalFound(let decoded)):
            return finishDecoding(EncodedImage.inMemory, decoded)
        case (.readingCached(let result), .diskAnswered(let file)):
            return refresh(CachedPicture(result: result, file: file))
        case (.askingToLoad(let cached), .permitted(let refusal)):
            return beginLoading(cached, refusal)
        case (.loading(nil), .updated(let update)):
            return deliver(update)
        case (.loading(let cached), .loaded(let result)):
            return finishLoading(result, cached)
        case (.decoding(let encoded), .decoded(.success(let decoded))):
            return finishDecoding(encoded, decoded)
        case (.decoding(let encoded), .decoded(.failure(let error))):
            return failDecoding(encoded, error)
        case (.transforming(let decoded, let encoded), .transformed(let transformed)):
            return store(FinishedImage(image: transformed, decoded: decoded), encoded)
        case (.storing(let result, let image), .stored(let stored)) where image === stored:
            return deliver(.success(result))
        default:
            return []
        }
    }

    private mutating func found(_ image: Image) -> [Action] {
        let result = LoadResult(image: image, cacheType: .memory, url: plan.requestedURL)
        guard plan.wantsDataFromDisk else { return finish(result, from: nil) }
        state = .readingData(result)
        return [.readFile(.result)]
    }

    /// The next place to look in, after `source` had nothing (nil: after memory).
    private mutating func advance(after source: DiskFile?) -> [Action] {
        if source == nil, plan.queriesResultOnDisk { return query(.result) }
        if source != .original, plan.queriesOriginal { return query(.original) }
        guard plan.mayLoad else { return deliver(.failure(.notCached(plan.url))) }
        state = .askingToLoad(nil)
        return [.askToLoad]
    }

    private mutating func query(_ source: DiskFile) -> [Action] {
        state = .queryingDisk(source)
        return [.queryDisk(source)]
    }

    private mutating func decode(_ encoded: EncodedImage) -> [Action] {
        state = .decoding(encoded)
        return [.decode(encoded)]
    }

    private mutating func finishDecoding(_ encoded: EncodedImage, _ decoded: DecodedImage) -> [Action] {
        guard encoded.source != .disk(.result), plan.transforms(decoded.image) else {
            return store(FinishedImage(image: decoded, decoded: decoded), encoded)
        }
        state = .transforming(decoded, encoded)
        return [.transform(decoded, encoded)]
    }

    private mutating func failDecoding(_ encoded: EncodedImage, _ error: WebImageError) -> [Action] {
        // A cached file that does not decode is as good as none, unless a limit or a cancellation refused it.
        guard case .disk(let source) = encoded.source, error.kind == .permanent else { return deliver(.failure(error)) }
        return [.removeFromDisk(source)] + advance(after: source)
    }

    private mutating func store(_ finished: FinishedImage, _ encoded: EncodedImage) -> [Action] {
        let result = LoadResult(finished, encoded: encoded, plan: plan)
        if encoded.isToBeRefreshed {
            return [.store(finished, encoded)] + refresh(CachedPicture(result: result, file: encoded.stored))
        }
        if encoded.source == .disk(.result), plan.refreshes {
            return [.store(finished, encoded)] + finish(result, from: encoded.stored)
        }
        guard plan.options.contains(.waitStoreCache) else {
            return [.store(finished, encoded)] + deliver(.success(result))
        }
        state = .storing(result, finished.image)
        return [.store(finished, encoded)]
    }
}

// MARK: - Loading and refreshing

extension LoadStateMachine {
    /// The finished picture was in a cache: the load ends with it, or begins to refresh it.
    private mutating func finish(_ result: LoadResult, from file: StoredFile?) -> [Action] {
        guard plan.refreshes else { return deliver(.success(result)) }
        let delivery = deliver(.cached(result))
        if let file, !plan.isDerived {
            return delivery + refresh(CachedPicture(result: result, file: file))
        }
        state = .readingCached(result)
        return delivery + [.readFile(.original)]
    }

    private mutating func refresh(_ cached: CachedPicture) -> [Action] {
        // The server is asked about the file: what it says must hold for the picture.
        if let file = cached.file, !cached.isOfItsFile(plan) {
            return decode(EncodedImage(file, from: .original, isToBeRefreshed: true))
        }
        // What the server said may answer the question without asking it (RFC 9111 §4.2).
        if cached.file?.isFresh == true { return deliver(.success(cached.result)) }
        state = .askingToLoad(cached)
        return [.askToLoad]
    }

    private mutating func beginLoading(_ cached: CachedPicture?, _ refusal: WebImageError?) -> [Action] {
        guard let refusal else {
            state = .loading(cached)
            return [.load(cached)]
        }
        return deliver(cached.map { .success($0.result) } ?? .failure(refusal))
    }

    private mutating func finishLoading(
        _ result: Result<ImageLoadResponse, WebImageError>, _ cached: CachedPicture?
    ) -> [Action] {
        switch (result, cached) {
        case (.success(let response), let cached?) where response.data == cached.file?.entry.data:
            return keep(cached, as: response.http)
        case (.success(let response), _):
            return decode(EncodedImage(response))
        case (.failure(let error), let cached?) where error.code == .cacheNotModified:
            return keep(cached, as: error.response)
        case (.failure(let error), _):
            return deliver(.failure(error))
        }
    }

    /// The server has nothing newer.
    private mutating func keep(_ cached: CachedPicture, as response: HTTPResponse?) -> [Action] {
        let delivery = deliver(.success(cached.result))
        guard let file = cached.file, let response else { return delivery }
        return [.freshen(file.entry, response)] + delivery
    }
}

// MARK: - Endings

extension LoadStateMachine {
    private mutating func deliver(_ update: LoadUpdate) -> [Action] {
        // One that nobody has taken yet is overtaken: whole bitmaps must not pile up before a busy queue.
        if case .partial = update, case .partial = updates.last {
            updates[updates.count - 1] = update
            return []
        }
        updates.append(update)
        return [.deliver]
    }

    private mutating func deliver(_ outcome: Outcome) -> [Action] {
        // A part of a picture is of no use beside the whole.
        updates.removeAll { if case .partial = $0 { true } else { false } }
        state = .delivering(LoadEnding(outcome))
        return [.deliver]
    }

    private mutating func cancel() -> [Action] {
        updates.removeAll()
        switch state {
        case .ended: return []
        case .delivering(let ending) where ending.isFailure: return []
        default:
            state = .delivering(LoadEnding(.failure(.cancelled(url: plan.url))))
            return [.stop]
        }
    }
}
