import FoundationEssentials
import WebImage
import WebImageCore

/// The way of a result: from where it is kept, or from its source over a place in the queue.
final class ResultPipeline: Sendable {
    private let store: ResultStore
    private let fetcher: SourceFetcher
    private let maker: ResultMaker
    private let admission: Admission
    private let queue: WorkQueue
    private let metrics: ServiceMetrics
    private let defaultAge: Int
    /// Seconds for which another node's result is waited for.
    private let patience: Int
    private let making = ResultsInTheMaking()
    private let remaking = ResultsInTheMaking()
    private let purges = Purges()

    init(
        store: ResultStore, fetcher: SourceFetcher, maker: ResultMaker, admission: Admission, queue: WorkQueue,
        metrics: ServiceMetrics, defaultAge: Int, patience: Int
    ) {
        self.store = store
        self.fetcher = fetcher
        self.maker = maker
        self.admission = admission
        self.queue = queue
        self.metrics = metrics
        self.defaultAge = defaultAge
        self.patience = patience
    }

    func result(of recipe: ResultRecipe) async -> (outcome: ResultsInTheMaking.Outcome, isJoined: Bool) {
        await making.result(for: key(of: recipe)) { [self] in await find(recipe) }
    }

    private func key(of recipe: ResultRecipe) -> ResultsInTheMaking.Key {
        ResultsInTheMaking.Key(
            source: recipe.sourceKey, result: recipe.key, purgeCount: purges.count(of: recipe.sourceKey))
    }

    func purge(_ source: CacheKey) async throws {
        purges.note(source)
        try await store.purge(source)
    }

    private func find(_ recipe: ResultRecipe) async -> ResultsInTheMaking.Outcome {
        var patience = Patience(seconds: patience)
        while true {
            switch await store.find(recipe) {
            case .made(let result, let tier): return .success((result, tier == .disk ? .disk : .shared))
            case .outdated(let result, _, let remake):
                if let remake { makeLater(recipe, remake) }
                return .success((result, .stale))
            case .absent(let leave): return await make(recipe, leave)
            case .madeElsewhere:
                // The other node may have died, or found that nothing can be kept.
                guard await patience.wait() else { return await make(recipe, .init(generation: nil, place: nil)) }
            }
        }
    }

    /// Makes an outdated result anew, while it is sent as it is.
    private func makeLater(_ recipe: ResultRecipe, _ leave: ResultStore.Leave) {
        Task { await remaking.result(for: key(of: recipe)) { [self] in await make(recipe, leave) } }
    }

    private func make(_ recipe: ResultRecipe, _ leave: ResultStore.Leave) async -> ResultsInTheMaking.Outcome {
        guard admission.enter() else {
            await store.giveUp(recipe, leave)
            return .failure(ServiceError(429, "the service is busy; ask again", retryAfter: 1))
        }
        defer { admission.leave() }
        let purgeCount = purges.count(of: recipe.sourceKey)
        do throws(ServiceError) {
            let (result, origin) = try await makeInTurn(recipe, leave)
            await store.keep(result, recipe, leave)
            if purges.count(of: recipe.sourceKey) != purgeCount { await store.removeFromDisk(recipe.sourceKey) }
            return .success((result, origin))
        } catch {
            await store.giveUp(recipe, leave)
            return .failure(error)
        }
    }

    private func makeInTurn(
        _ recipe: ResultRecipe, _ leave: ResultStore.Leave
    ) async throws(ServiceError) -> (StoredResult, ResultOrigin) {
        let turn = Task { [store] in await store.holdTurn(recipe, leave) }
        do throws(ServiceError) {
            let made = try await makeNow(recipe, leave)
            await end(turn)
            return made
        } catch {
            await end(turn)
            throw error
        }
    }

    /// Waits for the end: a renewal behind the result would give it the short time of a turn.
    private func end(_ turn: Task<Void, Never>) async {
        turn.cancel()
        await turn.value
    }

    private func makeNow(
        _ recipe: ResultRecipe, _ leave: ResultStore.Leave
    ) async throws(ServiceError) -> (StoredResult, ResultOrigin) {
        let source = try await fetched(recipe, leave)
        // Asked for each use: what was made of the same file is still right.
        if source.age.keeping == .asked, let result = await store.made(of: source, recipe, leave) {
            return (result, .revalidated)
        }
        let made = try await made(source, recipe)
        let seconds = source.age.seconds ?? Double(defaultAge)
        let result = StoredResult(
            data: made.data, format: made.format, keeping: source.age.keeping,
            freshUntil: Date(timeIntervalSinceNow: seconds), mayBeStale: source.age.mayBeStale,
            source: source.fingerprint)
        return (result, .made)
    }

    private func fetched(
        _ recipe: ResultRecipe, _ leave: ResultStore.Leave
    ) async throws(ServiceError) -> SourceFetcher.Source {
        let start = ContinuousClock.now
        do throws(WebImageError) {
            let source = try await fetcher.source(
                at: recipe.source, key: leave.generation.map { recipe.sourceKey(of: $0) })
            metrics.noteFetch(seconds: start.duration(to: .now) / .seconds(1), bytes: source.byteCount)
            return source
        } catch {
            throw ServiceError(source: error)
        }
    }

    private func made(
        _ source: SourceFetcher.Source, _ recipe: ResultRecipe
    ) async throws(ServiceError) -> ResultMaker.Result {
        do throws(WebImageError) {
            // Requests that wait must not fill the memory.
            let held = source.held
            if queue.isBusy { held.letGo() }
            let properties = try await queue.run(cost: 0) { [maker] () throws(WebImageError) in
                recipe.options.isRaw ? nil : try maker.properties(of: try held.bytes())
            }
            guard let properties else {
                let data = try held.bytes()
                return ResultMaker.Result(data: data, format: ImageFormat(sniffing: data))
            }
            let waiting = ContinuousClock.now
            if queue.isBusy { held.letGo() }
            let cost = Self.cost(of: maker.pixelCount(properties, recipe))
            return try await queue.run(cost: cost) { [self] () throws(WebImageError) in
                let start = ContinuousClock.now
                metrics.noteWait(seconds: waiting.duration(to: start) / .seconds(1))
                let data = try held.bytes()
                let result = try maker.result(of: data, properties, recipe)
                metrics.noteDecode(seconds: start.duration(to: .now) / .seconds(1))
                return result
            }
        } catch {
            throw ServiceError(making: error)
        }
    }

    /// Seconds, about: what a photograph takes on one processor.
    private static func cost(of pixelCount: Double) -> Double { pixelCount / 60_000_000 }
}

/// Waits that become longer, for a while.
private struct Patience {
    private let end: ContinuousClock.Instant
    private var pause = Duration.milliseconds(3)

    init(seconds: Int) { end = .now + .seconds(seconds) }

    /// False where the time is over.
    mutating func wait() async -> Bool {
        guard .now < end else { return false }
        try? await Task.sleep(for: pause)
        pause = min(pause * 3 / 2, .milliseconds(100))
        return true
    }
}
