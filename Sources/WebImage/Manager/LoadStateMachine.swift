import FoundationEssentials

/// The rules of one load, without its doings: takes what happened, returns what to do.
///
/// A load ends exactly once because only this value decides that it ends, and nothing leads out of ``State/ended``.
struct LoadStateMachine {
    enum State {
        case ready
        case queryingDisk(DiskFile)
        case loading
        case decoding(EncodedImage)
        case storing(LoadResult)
        /// Decided, but not yet told: a cancellation may still overtake a picture that waits for its queue.
        case delivering(Outcome)
        case ended
    }

    enum Event {
        case refused(WebImageError)
        case started(inMemory: Image?)
        case diskAnswered(DiskCacheEntry?)
        case loaded(Result<ImageLoadResponse, WebImageError>)
        case decoded(Result<DecodedImage, WebImageError>)
        case stored
        case cancelled
    }

    enum Action {
        case queryDisk(DiskFile)
        case load
        case decode(EncodedImage)
        case removeFromDisk(DiskFile)
        case store(DecodedImage, EncodedImage)
        /// Tell the caller; ``takeOutcome()`` says what.
        case deliver
        /// Stop whatever is under way, and tell the caller.
        case stop
    }

    typealias Outcome = Result<LoadResult, WebImageError>

    /// The two files that a picture may be decoded from.
    enum DiskFile: Hashable {
        /// The finished picture.
        case result
        /// The original of a thumbnail.
        case original
    }

    private(set) var state = State.ready
    private let plan: LoadPlan

    init(plan: LoadPlan) { self.plan = plan }

    var isEnded: Bool {
        if case .ended = state { return true }
        return false
    }

    /// Whether the outcome is still open.
    var isRunning: Bool {
        switch state {
        case .delivering, .ended: false
        default: true
        }
    }

    /// What to do now. An event that comes too late, after a cancellation, leads to nothing.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ready, .refused(let error)):
            return deliver(.failure(error))
        case (.ready, .started(let image?)):
            return deliver(.success(LoadResult(image: image, cacheType: .memory, url: plan.url)))
        case (.ready, .started):
            return advance(after: nil)
        case (.queryingDisk(let file), .diskAnswered(let entry)):
            guard let entry else { return advance(after: file) }
            return decode(EncodedImage(entry, from: file))
        case (.loading, .loaded(.success(let response))):
            return decode(EncodedImage(response))
        case (.loading, .loaded(.failure(let error))):
            return deliver(.failure(error))
        case (.decoding(let encoded), .decoded(let result)):
            return finishDecoding(encoded, result)
        case (.storing(let result), .stored):
            return deliver(.success(result))
        case (_, .cancelled):
            return cancel()
        default:
            return []
        }
    }

    /// The outcome to tell, once: nil when it was told or overtaken.
    mutating func takeOutcome() -> Outcome? {
        guard case .delivering(let outcome) = state else { return nil }
        state = .ended
        return outcome
    }

    /// The next place to look in, after `file` had nothing (nil: after memory).
    private mutating func advance(after file: DiskFile?) -> [Action] {
        if file == nil, plan.queriesResultOnDisk { return query(.result) }
        if file != .original, plan.queriesOriginalOnDisk { return query(.original) }
        guard plan.mayLoad else { return deliver(.failure(.notCached(plan.url))) }
        state = .loading
        return [.load]
    }

    private mutating func query(_ file: DiskFile) -> [Action] {
        state = .queryingDisk(file)
        return [.queryDisk(file)]
    }

    private mutating func decode(_ encoded: EncodedImage) -> [Action] {
        state = .decoding(encoded)
        return [.decode(encoded)]
    }

    private mutating func finishDecoding(_ encoded: EncodedImage, _ result: Result<DecodedImage, WebImageError>)
        -> [Action]
    {
        switch result {
        case .success(let decoded):
            let result = LoadResult(image: decoded.image, encoded: encoded, plan: plan)
            guard plan.options.contains(.waitStoreCache) else {
                return [.store(decoded, encoded)] + deliver(.success(result))
            }
            state = .storing(result)
            return [.store(decoded, encoded)]
        case .failure(let error):
            // A cached file that does not decode is as good as none, unless a limit or a cancellation refused it.
            guard let file = encoded.file, error.kind == .permanent else { return deliver(.failure(error)) }
            return [.removeFromDisk(file)] + advance(after: file)
        }
    }

    private mutating func deliver(_ outcome: Outcome) -> [Action] {
        state = .delivering(outcome)
        return [.deliver]
    }

    private mutating func cancel() -> [Action] {
        switch state {
        case .ended: return []
        case .delivering(.failure): return []
        default:
            state = .delivering(.failure(.cancelled(url: plan.url)))
            return [.stop]
        }
    }
}

/// Bytes on their way to the decoder, and where they came from.
struct EncodedImage: Sendable {
    let data: Data
    /// nil for bytes that came from the loader.
    let file: LoadStateMachine.DiskFile?
    let http: HTTPResponse?

    init(_ entry: DiskCacheEntry, from file: LoadStateMachine.DiskFile) {
        data = entry.data
        self.file = file
        http = nil
    }

    init(_ response: ImageLoadResponse) {
        data = response.data
        file = nil
        http = response.http
    }

    var cacheType: ImageCacheType { file == nil ? .none : .disk }
}

extension LoadResult {
    fileprivate init(image: Image, encoded: EncodedImage, plan: LoadPlan) {
        self.init(
            image: image, data: plan.isDerived ? nil : encoded.data, cacheType: encoded.cacheType, url: plan.url,
            byteCount: encoded.data.count, http: encoded.http)
    }
}

extension WebImageError {
    static func notCached(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .disk, kind: .policy,
            reason: "the picture is in no cache, and loading was not allowed", url: url)
    }
}
