import FoundationEssentials
import Synchronization

/// The doings of one load: each stage asks its station and answers with what the state machine takes.
struct LoadStages: Sendable {
    let plan: LoadPlan
    let shared: SharedStages

    func queryDisk(
        _ file: LoadStateMachine.DiskFile, priority: LoadPriority,
        completion: @escaping @Sendable (DiskCacheEntry?) -> Void
    ) -> any CancellableTask {
        plan.cache.queryDisk(for: key(of: file), priority: priority) { result in
            // A cache that cannot be read must not keep a picture from being loaded.
            completion((try? result.get()) ?? nil)
        }
    }

    func load(
        priority: LoadPriority, progress: @escaping @Sendable (LoadProgress) -> Void,
        completion: @escaping @Sendable (Result<ImageLoadResponse, WebImageError>) -> Void
    ) -> any CancellableTask {
        var request = plan.request
        request.priority = priority
        return plan.loader.load(request) { event in
            switch event {
            case .progress(let value): progress(value)
            case .data: break
            case .finished(let result): completion(result.mapError { $0.about(plan.url) })
            }
        }
    }

    func decode(
        _ encoded: EncodedImage, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DecodedImage, WebImageError>) -> Void
    ) -> any CancellableTask {
        let work: @Sendable (CancellationFlag) -> Result<DecodedImage, WebImageError> = { decodeNow(encoded, flag: $0) }
        let key = DecodeKey(
            memoryKey: plan.memoryKey, limits: plan.decodeOptions.limits, source: DecodeKey.Source(encoded.file),
            data: encoded.data, collaborators: collaborators)
        return shared.decodes.submit(key, priority: priority, work: work, completion: completion)
    }

    func removeFromDisk(_ file: LoadStateMachine.DiskFile) {
        plan.cache.remove(for: key(of: file), from: .disk, completion: nil)
    }

    func store(_ decoded: DecodedImage, _ encoded: EncodedImage, completion: @escaping @Sendable () -> Void) {
        ImageStore(plan: plan, queue: shared.encodeQueue).store(decoded, encoded, completion: completion)
    }

    /// The end of a load, before its completion is called.
    func end(_ operation: LoadOperation, _ outcome: LoadStateMachine.Outcome) {
        // A load that was refused at the door never ran, and tells nothing about its URL.
        guard shared.running.remove(operation) else { return }
        switch outcome {
        case .success:
            if plan.options.contains(.retryFailed) { shared.failedURLs.remove(plan.url) }
        case .failure(let error):
            guard !error.isCancelled, plan.loader.shouldBlockFailedURL(plan.url, error: error) else { return }
            shared.failedURLs.insert(plan.url)
        }
    }

    /// Loads may only share work when it is done by the same coder and when they look into the same cache.
    private var collaborators: DecodeKey.Collaborators {
        guard let coder = InstanceIdentity(plan.coder), let cache = InstanceIdentity(plan.cache) else {
            return .incomparable(shared.makeNumber())
        }
        return .same(coder: coder, cache: cache)
    }

    private func key(of file: LoadStateMachine.DiskFile) -> CacheKey {
        switch file {
        case .result: plan.resultKey
        case .original: plan.originalKey
        }
    }

    private func decodeNow(_ encoded: EncodedImage, flag: CancellationFlag) -> Result<DecodedImage, WebImageError> {
        // Another load may have finished the same picture while this one waited for its bytes.
        if encoded.file != nil, plan.queriesMemory, let image = plan.cache.imageFromMemory(for: plan.memoryKey) {
            return .success(DecodedImage(image, isStored: true))
        }
        var options = encoded.file == .result ? plan.resultDecodeOptions : plan.decodeOptions
        options.cancellation = flag
        do throws(WebImageError) {
            return .success(DecodedImage(try plan.coder.decode(encoded.data, options: options)))
        } catch {
            return .failure(error.about(plan.url))
        }
    }
}

/// What the loads of one manager share.
final class SharedStages: Sendable {
    let decodes = SharedJobPool<DecodeKey, Result<DecodedImage, WebImageError>>(queue: .decoding)
    let encodeQueue = JobQueue.decoding
    let running = RunningOperations()
    let failedURLs = FailedURLs()
    private let lastNumber = Atomic<UInt64>(0)

    /// A number that it never gave before.
    func makeNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }
}

/// Two decodes with equal keys give equal pixels, or fail alike.
struct DecodeKey: Hashable, Sendable {
    let memoryKey: CacheKey
    /// What one load's limits refuse, another's may take.
    let limits: ImageLimits
    let source: Source
    /// The file itself: what a server sends may change between two loads. Loads of one transfer have the same bytes in
    /// the same place, which is seen without comparing them.
    let data: Data
    let collaborators: Collaborators

    enum Collaborators: Hashable, Sendable {
        case same(coder: InstanceIdentity, cache: InstanceIdentity)
        /// By a number that no other decode has.
        case incomparable(UInt64)
    }

    enum Source: Hashable, Sendable {
        case result, original, loader

        init(_ file: LoadStateMachine.DiskFile?) {
            switch file {
            case .result: self = .result
            case .original: self = .original
            case nil: self = .loader
            }
        }
    }
}

extension JobQueue {
    /// Decoding, transforming and encoding of all managers together: as many at a time as there are processors.
    static let decoding = JobQueue(label: "WebImage.decoding", limit: ProcessorCount.current)
}
