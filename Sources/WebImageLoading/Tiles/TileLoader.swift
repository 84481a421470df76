import Synchronization
import WebImageCore

/// Decodes the tiles that are wanted, the most wanted first, and cancels what is no longer wanted. Any thread.
final class TileLoader: Sendable {
    /// The queue of all pictures, apart from that of loads, which should not wait for tiles.
    static let sharedQueue = JobQueue(label: "WebImage.tiles", limit: ProcessorCount.current)

    fileprivate struct Work {
        let keys: [TileKey]
        let cancellation: CancellationFlag
    }

    fileprivate struct State {
        /// In order: what is visible, and then what lies around it.
        var wanted: [TileKey] = []
        var visible: Set<TileKey> = []
        var running: [Int: Work] = [:]
        var lastNumber = 0
        /// Tiles that were decoded, or had no memory, since the last look: they are not decoded again before the next
        /// one, though they may have left memory at once.
        var settled: Set<TileKey> = []
        /// Tiles that have failed are not tried again.
        var failed: Set<TileKey> = []
        var failure: WebImageError?
        var isClosed = false
        var decodedCount = 0
    }

    /// The listeners of a loader.
    struct Handlers {
        var tile: (@Sendable (TileKey) -> Void)?
        var failure: (@Sendable (WebImageError) -> Void)?
    }

    let handlers = Mutex(Handlers())
    private let source: TileSource
    private let pool: TilePool
    private let queue: JobQueue
    private let workerLimit: Int
    private let state = Mutex(State())

    init(_ source: TileSource, _ pool: TilePool, queue: JobQueue, workerLimit: Int = ProcessorCount.current) {
        self.source = source
        self.pool = pool
        self.queue = queue
        self.workerLimit = workerLimit
        source.setProgress { [weak self] in self?.start() }
    }

    /// The number of tiles decoded so far.
    var decodedCount: Int { state.withLock { $0.decodedCount } }

    /// Why tiles are missing for good; nil where none is.
    var failure: WebImageError? { state.withLock { $0.failure } }

    /// Sets what is wanted; all other work ends.
    ///
    /// - Parameters:
    ///   - visible: In the order in which they should come.
    ///   - near: Those around them.
    func want(visible: [TileKey], near: [TileKey]) {
        let set = Set(visible)
        pool.setVisible(set)
        state.withLock { state in
            guard !state.isClosed else { return }
            state.wanted = visible + near
            state.visible = set
            state.settled = []
            let kept = set.union(near)
            for work in state.running.values where !work.keys.contains(where: kept.contains) {
                work.cancellation.cancel()
            }
        }
        start()
    }

    /// Ends all work for good.
    func close() {
        source.close()
        state.withLock { state in
            state.isClosed = true
            state.wanted = []
            for work in state.running.values { work.cancellation.cancel() }
        }
        handlers.withLock { $0 = Handlers() }
        pool.clear()
    }

    // MARK: - Work

    /// Begins as much work as there are places.
    private func start() {
        while let (number, work, isVisible) = takeNext() {
            queue.submit(priority: isVisible ? .high : .normal) { self.perform(number, work) }
        }
        if let key = firstUnread, let reading = source.takeReading(for: key) {
            queue.submit(priority: .low, reading)
        }
    }

    /// The first tile whose rows must be read for it.
    private var firstUnread: TileKey? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            return state.wanted.first { if case .unread = source.readiness(of: $0) { true } else { false } }
        }
    }

    private func takeNext() -> (Int, Work, isVisible: Bool)? {
        let present = pool.keys
        var failure: WebImageError?
        let next: (Int, Work, Bool)? = state.withLock { state in
            guard !state.isClosed, state.running.count < workerLimit else { return nil }
            let busy = Set(state.running.values.filter { !$0.cancellation.isCancelled }.flatMap(\.keys))
            let missing = state.wanted.filter {
                !present.contains($0) && !busy.contains($0) && !state.failed.contains($0)
                    && !state.settled.contains($0)
            }
            for key in missing {
                switch source.readiness(of: key) {
                case .ready:
                    let keys = [key] + missing.filter { $0 != key && source.sharesDecode($0, key) }
                    return state.begin(keys)
                case .failed(let error):
                    state.failed.insert(key)
                    if state.failure == nil { failure = error }
                    state.failure = state.failure ?? error
                case .waiting, .unread: continue
                }
            }
            return nil
        }
        if let failure { report(failure) }
        return next
    }

    private func perform(_ number: Int, _ work: Work) {
        let result = decode(work)
        let failure = state.withLock { state in
            state.running[number] = nil
            if case .success = result { state.settled.formUnion(work.keys) }
            guard case .failure(let error) = result, !error.isCancelled, !state.isClosed else {
                return nil as WebImageError?
            }
            state.failed.formUnion(work.keys)
            defer { state.failure = state.failure ?? error }
            return state.failure == nil ? error : nil
        }
        if let failure { report(failure) }
        start()
    }

    /// Decodes the tiles for which there is memory; the next look asks again for the others.
    private func decode(_ work: Work) -> Result<Void, WebImageError> {
        guard !work.cancellation.isCancelled else { return .failure(.cancelled()) }
        let visible = state.withLock { $0.visible }
        var reserved: [TileKey: Int] = [:]
        for key in work.keys {
            let byteCount = source.grid.region(of: key).size.area * PixelFormat.rgba8Premultiplied.bytesPerPixel
            if pool.reserve(byteCount, isVisible: visible.contains(key)) { reserved[key] = byteCount }
        }
        defer { for byteCount in reserved.values { pool.release(byteCount) } }
        let keys = work.keys.filter { reserved[$0] != nil }
        guard !keys.isEmpty else { return .success(()) }
        do throws(WebImageError) {
            try source.decode(keys, cancellation: work.cancellation) { key, bitmap in
                reserved[key] = nil
                receive(bitmap, for: key)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func receive(_ bitmap: Bitmap, for key: TileKey) {
        pool.insert(bitmap, for: key)
        let isClosed = state.withLock { state in
            state.decodedCount += 1
            return state.isClosed
        }
        guard !isClosed else { return pool.clear() }
        handlers.withLock { $0.tile }?(key)
    }

    private func report(_ failure: WebImageError) { handlers.withLock { $0.failure }?(failure) }
}

extension TileLoader.State {
    fileprivate mutating func begin(_ keys: [TileKey]) -> (Int, TileLoader.Work, Bool) {
        lastNumber += 1
        let work = TileLoader.Work(keys: keys, cancellation: CancellationFlag())
        running[lastNumber] = work
        return (lastNumber, work, keys.contains { visible.contains($0) })
    }
}
