import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageHTTP

/// A load that first looks in the cache for the beginning of an interrupted transfer.
final class ResumedLoad: CancellableTask {
    private struct State {
        var task: (any CancellableTask)?
        var priority: LoadPriority?
        var isCancelled = false
        /// Whether the loader has begun and not ended.
        var isLoading = false
        /// Whether the end of the program waits for the loader.
        var isAwaited = false
        var keepsPartialBody = false
    }

    private let state = Mutex(State())

    /// Starts `query`, and `load` with what it has found.
    func start<Found: Sendable>(
        query: (@escaping @Sendable (Found) -> Void) -> any CancellableTask,
        load: @escaping @Sendable (Found) -> any CancellableTask
    ) {
        // The query may end before its task is known, whose place is then that of the load.
        let query = query { found in
            self.state.withLock { $0.isLoading = true }
            self.take(load(found), isLoad: true)
        }
        take(query, isLoad: false)
    }

    private func take(_ task: any CancellableTask, isLoad: Bool) {
        let (isCancelled, priority): (Bool, LoadPriority?) = state.withLock { state in
            if isLoad ? state.isLoading : state.task == nil { state.task = task }
            return (state.isCancelled, state.priority)
        }
        if isCancelled { task.cancel() } else if let priority { task.setPriority(priority) }
    }

    /// The partial body that the loader leaves comes later, from its thread: a program that ends waits for it.
    func cancel() {
        let task = state.withLock { state in
            if state.isLoading, !state.isAwaited {
                state.isAwaited = true
                UnfinishedWrites.shared.begin()
            }
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// The loader has ended. Its task, which may hold the load, is released.
    func end() {
        let (wasAwaited, task): (Bool, (any CancellableTask)?) = state.withLock { state in
            defer { (state.isLoading, state.isAwaited) = (false, false) }
            return (state.isAwaited, state.task.take())
        }
        if wasAwaited { UnfinishedWrites.shared.end() }
        withExtendedLifetime(task) {}
    }

    /// Whether the beginning of the picture's file is on disk, or will be.
    var keepsPartialBody: Bool { state.withLock { $0.keepsPartialBody } }

    func hasPartialBody() { state.withLock { $0.keepsPartialBody = true } }

    func setPriority(_ priority: LoadPriority) {
        let task = state.withLock { state in
            state.priority = priority
            return state.task
        }
        task?.setPriority(priority)
    }
}

/// The beginnings of interrupted transfers, in the disk cache of the originals, which evicts them before whole pictures.
struct PartialBodies: Sendable {
    private let cache: any ImageCaching
    private let key: CacheKey

    /// A day, after which they are not found.
    private static let lifetime: TimeInterval = 24 * 60 * 60

    /// nil for a load that keeps none: it refreshes, or the disk is not to be used, or its bytes are not for all loads.
    init?(_ plan: LoadPlan, cached: CachedPicture?, settings: LoadSettings) {
        guard settings.values.resumesTransfers, cached == nil, plan.url.hasScheme("http", "https"),
            plan.originalStoreTiers.union(plan.storeTiers).contains(.disk),
            !plan.options.contains(.allowInvalidSSLCertificates), !plan.options.contains(.handleCookies),
            plan.context.downloadCredential == nil, plan.loader.credential(for: plan.url) == nil,
            !plan.context.httpHeaders.hasField("authorization"), !plan.context.httpHeaders.hasField("cookie")
        else { return nil }
        cache = plan.originalCache
        key = plan.keys.original.partialBody
    }

    func query(
        priority: LoadPriority, completion: @escaping @Sendable (PartialBody?) -> Void
    ) -> any CancellableTask {
        cache.queryDisk(for: key, priority: priority) { result in
            guard case .success(let entry?) = result, let validator = entry.headers["if-range"] else {
                return completion(nil)
            }
            let total = entry.headers["content-length"].flatMap { Int($0) }
            completion(PartialBody(data: entry.data, validator: validator, totalByteCount: total))
        }
    }

    func store(_ body: PartialBody) {
        let entry = DiskCacheEntry(
            data: body.data,
            headers: ["if-range": body.validator, "content-length": body.totalByteCount.map { String($0) }]
                .compactMapValues(\.self),
            expiresAt: Date(timeIntervalSinceNow: Self.lifetime))
        UnfinishedWrites.shared.begin()
        cache.storeOnDisk(entry, for: key) { _ in UnfinishedWrites.shared.end() }
    }

    func remove() {
        UnfinishedWrites.shared.begin()
        cache.removeAlone(for: key, from: .disk) { UnfinishedWrites.shared.end() }
    }
}
