import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// The rules of a load's stages, without the work: takes an event and returns an action. ``DeliveryStateMachine`` has
/// the rules for each caller.
///
/// It ends at most once because only this value decides that it ends, and ``State/ended`` is final.
struct LoadStateMachine {
    // Large values are boxed: states, events and actions are copied in each step.
    enum State {
        case ready
        /// Reading the file of a picture that memory had.
        indirect case readingData(LoadResult, CachedUse)
        case queryingDisk(DiskFile)
        /// Reading what the server said with the picture that is to be refreshed.
        indirect case readingCached(LoadResult, CachedUse)
        case loading(CachedPicture?)
        /// Noting what the server said of the cached picture.
        case freshening
        /// Looking for a file that was made of the original, before that is decoded.
        case seekingResult(of: EncodedImage)
        case decoding(EncodedImage)
        case transforming(DecodedImage, EncodedImage)
        indirect case storing(LoadResult, DecodedImage)
        case ended
    }

    private(set) var state = State.ready
    private let plan: LoadPlan

    init(plan: LoadPlan) { self.plan = plan }

    /// Whether the outcome is still open.
    var isRunning: Bool {
        if case .ended = state { return false }
        return true
    }

    /// Whether partial pictures are of use now.
    var takesParts: Bool {
        if case .loading(nil) = state { return true }
        return false
    }

    /// The action for an event. An event after a cancellation has no effect.
    mutating func handle(_ event: Event) -> Action {
        switch (state, event) {
        case (.ended, _):
            return .nothing
        case (.ready, .started(let image?, let use)):
            return found(image, use)
        case (.ready, .started):
            return advance(after: nil)
        case (_, .cancelled):
            state = .ended
            return .stop
        default:
            return handleStage(event)
        }
    }
}

// MARK: - Stages

extension LoadStateMachine {
    private mutating func handleStage(_ event: Event) -> Action {
        switch (state, event) {
        case (.readingData(var result, let use), .diskAnswered(let file)):
            result.data = file?.entry.data
            return finish(result, use, from: file)
        case (.queryingDisk(let source), .diskAnswered(let file)):
            return found(file, in: source)
        case (.queryingDisk(.original), .originalFound(let decoded)):
            return finishDecoding(EncodedImage.inMemory, decoded)
        case (.seekingResult(let original), .diskAnswered(let file)):
            return decodeNow(file.flatMap { EncodedImage($0, of: original) } ?? original)
        case (.readingCached(let result, let use), .diskAnswered(let file)):
            return refresh(CachedPicture(result: result, file: file, use: use))
        case (.loading(nil), .foundMeanwhile(let image)):
            return found(image, .atOnce)
        case (.loading(let cached), .refused(let error)):
            guard let cached, cached.use == .whileRevalidated else { return end(.failure(error)) }
            return serve(cached)
        case (.freshening, .freshened(let cached)):
            return serve(cached)
        case (.loading(let cached), .loaded(let result)):
            return finishLoading(result, cached)
        case (.loading(nil), .previewed(let decoded, let byteCount)):
            return .both(.stopLoading, finishDecoding(.beginning(byteCount: byteCount), decoded))
        case (.decoding(let encoded), .decoded(.success(let decoded))):
            return finishDecoding(encoded, decoded)
        case (.decoding(let encoded), .decoded(.failure(let error))):
            return failDecoding(encoded, error)
        case (.transforming(let decoded, let encoded), .transformed(.success(let transformed))):
            return store(FinishedImage(image: transformed, decoded: decoded), encoded)
        case (.transforming(_, let encoded), .transformed(.failure(let error))):
            return failDecoding(encoded, error)
        case (.storing(let result, let image), .stored(let stored)) where image === stored:
            return end(.success(result))
        default:
            return .nothing
        }
    }

    private mutating func found(_ image: Image, _ use: CachedUse) -> Action {
        var result = LoadResult(image: image, cacheType: .memory, url: plan.requestedURL)
        result.isStale = plan.followsServer && use != .atOnce
        guard plan.wantsDataFromDisk else { return finish(result, use, from: nil) }
        state = .readingData(result, use)
        return .readFile(.result)
    }

    private mutating func found(_ file: StoredFile?, in source: DiskFile) -> Action {
        guard let file else { return advance(after: source) }
        guard case .afterRevalidation = file.use else { return decode(EncodedImage(file, from: source)) }
        // It may not be used before the server has answered, and then perhaps never: it is not decoded yet.
        return plan.mayLoad ? load(CachedPicture(file, from: source)) : advance(after: source)
    }

    /// The next place to search, after `source` had nothing (nil: after memory).
    private mutating func advance(after source: DiskFile?) -> Action {
        if source == nil, plan.queriesResultOnDisk { return query(.result) }
        if source != .original, plan.queriesOriginal { return query(.original) }
        guard plan.mayLoad else { return end(.failure(plan.isOffline ? .offline(plan.url) : .notCached(plan.url))) }
        return load(nil)
    }

    private mutating func query(_ source: DiskFile) -> Action {
        state = .queryingDisk(source)
        return .queryDisk(source)
    }

    private mutating func decode(_ encoded: EncodedImage) -> Action {
        guard encoded.source == .disk(.original), plan.readsResultOfOriginal else { return decodeNow(encoded) }
        state = .seekingResult(of: encoded)
        return .queryDisk(.result)
    }

    private mutating func decodeNow(_ encoded: EncodedImage) -> Action {
        state = .decoding(encoded)
        return .decode(encoded)
    }

    private mutating func finishDecoding(_ encoded: EncodedImage, _ decoded: DecodedImage) -> Action {
        guard encoded.source != .disk(.result), plan.transforms(decoded.image) else {
            return store(FinishedImage(image: decoded, decoded: decoded), encoded)
        }
        state = .transforming(decoded, encoded)
        return .transform(decoded, encoded)
    }

    private mutating func failDecoding(_ encoded: EncodedImage, _ error: WebImageError) -> Action {
        // A cached file that does not decode counts as none, unless a limit or a cancellation refused it.
        guard case .disk(let source) = encoded.source, error.kind == .permanent else { return end(.failure(error)) }
        return .both(.removeFromDisk(source), advance(after: source))
    }

    private mutating func store(_ finished: FinishedImage, _ encoded: EncodedImage) -> Action {
        let result = LoadResult(finished, encoded: encoded, plan: plan)
        if encoded.isToBeRefreshed {
            return .both(.store(finished, encoded), refresh(CachedPicture(result: result, file: encoded.stored)))
        }
        if encoded.source == .disk(.result), plan.refreshes {
            return .both(.store(finished, encoded), finish(result, .whileRevalidated, from: encoded.stored))
        }
        if let file = encoded.stored, file.use == .whileRevalidated, plan.followsServer, plan.mayLoad {
            let next =
                plan.refreshes
                ? finish(result, .whileRevalidated, from: file) : refresh(CachedPicture(result: result, file: file))
            return .both(.store(finished, encoded), next)
        }
        guard plan.options.contains(.waitStoreCache) else {
            return .both(.store(finished, encoded), end(.success(result)))
        }
        state = .storing(result, finished.image)
        return .store(finished, encoded)
    }
}

// MARK: - Loading and refreshing

extension LoadStateMachine {
    /// The finished picture was in a cache: the load ends with it, or begins to refresh it.
    private mutating func finish(_ result: LoadResult, _ use: CachedUse, from file: StoredFile?) -> Action {
        guard plan.refreshes || use != .atOnce else { return end(.success(result)) }
        let next: Action
        if let file, !plan.isDerived {
            next = refresh(CachedPicture(result: result, file: file))
        } else {
            state = .readingCached(result, plan.refreshes ? .whileRevalidated : use)
            next = .readFile(.original)
        }
        return plan.refreshes ? .both(.tell(.cached(result)), next) : next
    }

    private mutating func refresh(_ cached: CachedPicture) -> Action {
        // The server revalidates the file: its answer must apply to the picture.
        if let file = cached.file, !cached.isOfItsFile(plan) {
            return decode(EncodedImage(file, from: .original, isToBeRefreshed: true))
        }
        // The stored fields may make a revalidation unnecessary (RFC 9111 §4.2).
        if cached.use == .atOnce { return serve(cached) }
        // A load with `refreshCached` has delivered it already.
        guard let result = cached.result, cached.use == .whileRevalidated, !plan.refreshes else { return load(cached) }
        return .both(.tell(.cached(result)), load(cached))
    }

    /// Ends with the picture in the cache, which may be used now.
    private mutating func serve(_ cached: CachedPicture) -> Action {
        if var result = cached.result {
            if let answer = cached.file?.answer, let response = answer.response {
                (result.http, result.isStale) = (response, answer.isStale)
            }
            return end(.success(result))
        }
        return cached.file.map { decode(EncodedImage($0, from: cached.source)) } ?? load(nil)
    }

    private mutating func load(_ cached: CachedPicture?) -> Action {
        state = .loading(cached)
        return .load(cached)
    }

    private mutating func finishLoading(
        _ result: Result<ImageLoadResponse, WebImageError>, _ cached: CachedPicture?
    ) -> Action {
        switch (result, cached) {
        case (.success(let response), let cached?) where cached.mayBeUsed(insteadOf: response) && !plan.refreshes:
            return serve(cached)
        case (.success(let response), let cached?)
        where response.keeping == .anywhere && cached.file.map { $0.holds(response) } ?? false:
            return keep(cached, by: response.record.map { .sameBytes($0) }, response.metrics)
        case (.success(let response), _):
            return decode(EncodedImage(response))
        case (.failure(let error), let cached?) where error.code == .cacheNotModified:
            return keep(cached, by: error.response.map { .notModified($0) }, error.metrics)
        case (.failure(let error), let cached?) where cached.mayBeUsed(after: error) && !plan.refreshes:
            return serve(cached)
        case (.failure(let error), _):
            return end(.failure(error))
        }
    }

    /// The server has no newer file.
    private mutating func keep(
        _ cached: CachedPicture, by form: CurrentAnswer.Form?, _ metrics: TransferMetrics?
    ) -> Action {
        guard let form else { return serve(cached) }
        state = .freshening
        return .freshen(cached, CurrentAnswer(form: form, metrics: metrics))
    }

    private mutating func end(_ outcome: Outcome) -> Action {
        state = .ended
        return .end(LoadEnding(outcome))
    }
}
