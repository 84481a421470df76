import FoundationEssentials
import Synchronization
import WebImageCache
import WebImageCore
import WebImageLoading

/// A cache whose disk answers in steps, fails at times and may be damaged; stored entries are found afterwards.
final class SimulatedCache: ImageCaching {
    private struct State {
        var memory: [CacheKey: Image] = [:]
        var disk: [CacheKey: DiskCacheEntry] = [:]
        /// Files whose writing has ended, with or without success.
        var written: Set<Data> = []
    }

    private let schedule: any Schedule
    private let state = Mutex(State())

    init(_ schedule: any Schedule) { self.schedule = schedule }

    /// Whether the file was ever written, under any name.
    func hasWritten(_ data: Data) -> Bool { state.withLock { $0.written.contains(data) } }

    // MARK: Changes by users and time

    func purgeMemory() {
        schedule.note("memory is purged")
        state.withLock { $0.memory = [:] }
    }

    func loseFile() {
        guard let key = anyFile else { return }
        schedule.note("the file \(key.string) is lost")
        state.withLock { $0.disk[key] = nil }
    }

    func damageFile() {
        guard let key = anyFile else { return }
        schedule.note("the file \(key.string) is damaged")
        state.withLock { $0.disk[key]?.data = Data("damaged".utf8) }
    }

    private var anyFile: CacheKey? {
        schedule.pick(state.withLock { $0.disk.keys.sorted { $0.string < $1.string } })
    }

    // MARK: ImageCaching

    func imageFromMemory(for key: CacheKey) -> Image? {
        schedule.interleave()
        return state.withLock { $0.memory[key] }
    }

    func storeInMemory(_ image: Image, for key: CacheKey) {
        schedule.note("memory has \(SimulatedPicture(image)) as \(key.string)")
        schedule.check(!image.metadata.isIncremental, "a part of a picture was stored")
        schedule.interleave()
        state.withLock { $0.memory[key] = image }
        schedule.interleave()
    }

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        let query = Query(schedule, completion: completion)
        let answer = { @Sendable in query.finish(self.read(key)) }
        // A cache with the file in memory answers before it returns.
        if schedule.chance(10) {
            answer()
        } else {
            schedule.add(.anywhere, "the disk answers for \(key.string)", answer)
        }
        schedule.interleave()
        return query
    }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        schedule.interleave()
        return try read(key).get()
    }

    private func read(_ key: CacheKey) -> Result<DiskCacheEntry?, WebImageError> {
        if schedule.chance(4) { return .failure(Self.failure(.disk)) }
        return .success(state.withLock { $0.disk[key] })
    }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        schedule.note(
            "the disk gets \(SimulatedPicture(beginning: entry.data)?.description ?? "nothing") as \(key.string)")
        schedule.interleave()
        let fails = schedule.chance(4)
        state.withLock { $0.disk[key] = fails ? nil : entry }
        schedule.add(.anywhere, "the file \(key.string) is written") {
            self.state.withLock { _ = $0.written.insert(entry.data) }
            completion?(fails ? .failure(Self.failure(.store)) : .success(()))
        }
        schedule.interleave()
    }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        schedule.note("\(key.string) is removed")
        state.withLock { state in
            if tiers.contains(.memory) { state.memory[key] = nil }
            if tiers.contains(.disk) { state.disk[key] = nil }
        }
        if let completion { schedule.add(.anywhere, "\(key.string) is gone", completion) }
    }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        state.withLock { state in
            if tiers.contains(.memory) { state.memory = [:] }
            if tiers.contains(.disk) { state.disk = [:] }
        }
        if let completion { schedule.add(.anywhere, "the cache is empty", completion) }
    }

    private static func failure(_ stage: WebImageError.Stage) -> WebImageError {
        WebImageError(.fileFailed, stage: stage, kind: .transient, reason: "the simulated disk failed")
    }

    private final class Query: CancellableTask {
        typealias Completion = @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void

        private struct State {
            var completion: Completion?
        }

        private let schedule: any Schedule
        private let state: Mutex<State>

        init(_ schedule: any Schedule, completion: @escaping Completion) {
            self.schedule = schedule
            state = Mutex(State(completion: completion))
        }

        func finish(_ result: Result<DiskCacheEntry?, WebImageError>) {
            state.withLock { state in
                defer { state.completion = nil }
                return state
            }.completion?(result)
        }

        func cancel() {
            let answer = { @Sendable in self.finish(.failure(.cancelled())) }
            if schedule.chance(70) { return answer() }
            schedule.add(.anywhere, "a cancelled query ends", answer)
        }
    }
}
