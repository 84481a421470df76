import FoundationEssentials
import Synchronization
import WebImageTesting

@testable import WebImage

/// A manager whose every neighbour is simulated, with users who do what comes to their minds.
final class Simulation: Sendable {
    let schedule: any Schedule
    let server: SimulatedServer
    let cache: SimulatedCache
    let loads: ObservedLoads
    private let loader: SimulatedLoader
    private let transformer: SimulatedTransformer
    private let delegate: SimulatedDelegate
    private let clock: ManualClock?
    private let executor: StepExecutor?
    private let manager: Mutex<WebImageManager?>
    private let views = Mutex<[SimulatedView]>([])
    /// Told of each load that begins; returns what is to be told of its end.
    private let didBegin: @Sendable () -> Step
    private static let interceptorTimeout = Duration.seconds(60)

    /// Everything in steps of `schedule`.
    convenience init(_ schedule: SteppedSchedule) {
        let executor = StepExecutor(schedule)
        let queue = JobQueue(limit: 2) { _, work in schedule.add(.anywhere, "a worker works", work) }
        self.init(schedule, queue, executor, ManualClock(), didBegin: { {} })
    }

    /// Everything on threads.
    convenience init(_ schedule: ThreadedSchedule) {
        self.init(schedule, JobQueue(label: "simulation", limit: 4), nil, nil, didBegin: { schedule.hold() })
    }

    private init(
        _ schedule: any Schedule, _ queue: JobQueue, _ executor: StepExecutor?, _ clock: ManualClock?,
        didBegin: @escaping @Sendable () -> Step
    ) {
        self.schedule = schedule
        self.executor = executor
        self.clock = clock
        self.didBegin = didBegin
        server = SimulatedServer(addressCount: 3)
        cache = SimulatedCache(schedule)
        loads = ObservedLoads(schedule)
        loader = SimulatedLoader(schedule, server)
        transformer = SimulatedTransformer(schedule: schedule, loads: loads)
        delegate = SimulatedDelegate(schedule, server)
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: SimulatedCoder(schedule, loads),
            clock: clock ?? ContinuousClock() as any Clock<Duration>, queue: queue, taskExecutor: executor)
        manager.interceptors = [SimulatedInterceptor(schedule: schedule)]
        manager.interceptorTimeout = Self.interceptorTimeout
        manager.delegate = delegate
        self.manager = Mutex(manager)
        let views = (0..<3).map { _ in
            SimulatedView(schedule) { [weak self] load, callbacks in self?.start(load, callbacks, .main) }
        }
        self.views.withLock { $0 = views }
    }

    private var currentManager: WebImageManager? { manager.withLock { $0 } }

    /// Somebody does something.
    func act() {
        switch schedule.random(below: 100) {
        case ..<34: beginLoad()
        case ..<50: changeView()
        case ..<62: schedule.pick(loads.running)?.cancel()
        case ..<70: prioritize()
        case ..<76: changeServer()
        case ..<80: cache.purgeMemory()
        case ..<84: cache.loseFile()
        case ..<87: cache.damageFile()
        case ..<90: server.toggleRefusal()
        case ..<93: forgiveFailures()
        case ..<95: cancelAll()
        case ..<98: clock?.advance(by: Self.interceptorTimeout / 2)
        case ..<99: listenLate()
        default: releaseManager()
        }
    }

    // MARK: Loads

    private func makeLoad(_ wish: ObservedLoad.Wish) -> ObservedLoad {
        let didEnd = didBegin()
        let load = loads.add { ObservedLoad($0, wish, in: self, didEnd: didEnd) }
        load.note("wants \(wish)")
        return load
    }

    private func wish() -> ObservedLoad.Wish {
        let often: [WebImageOptions] = [
            .refreshCached, .progressiveLoad, .retryFailed, .waitStoreCache, .queryMemoryData, .lowPriority,
            .highPriority,
        ]
        let rarely: [WebImageOptions] = [
            .fromCacheOnly, .fromLoaderOnly, .queryDiskDataSync, .queryMemoryDataSync, .avoidAutoCancelImage,
            .delayPlaceholder, .avoidAutoSetImage,
        ]
        var wish = ObservedLoad.Wish(address: schedule.random(below: server.addressCount))
        for option in often where schedule.chance(25) { wish.options.insert(option) }
        for option in rarely where schedule.chance(6) { wish.options.insert(option) }
        wish.isThumbnail = schedule.chance(30)
        wish.isTransformed = schedule.chance(30)
        if schedule.chance(25), let tiers = schedule.pick(SimulatedTiers.allCases) { wish.tiers = tiers }
        if schedule.chance(30), let deed = schedule.pick(SimulatedInterceptor.Deed.allCases) {
            // Without a clock of its own nobody would ever end it.
            wish.interception = deed == .hang && clock == nil ? .none : deed
        }
        return wish
    }

    private func beginLoad() {
        guard let manager = currentManager else { return }
        let load = makeLoad(wish())
        switch schedule.random(below: 4) {
        case 0: awaitResult(load, manager)
        case 1: awaitEvents(load, manager)
        default:
            let callbacks = LoadCallbacks(
                progress: { load.progressed($0) }, received: { load.received($0) }, completed: { load.completed($0) })
            if let operation = start(load, callbacks, schedule.chance(50) ? .anywhere : nil) { load.began(operation) }
        }
    }

    /// - Parameter place: Where callbacks are called; nil for wherever the load ends.
    private func start(_ load: ObservedLoad, _ callbacks: LoadCallbacks, _ place: SchedulePlace?) -> LoadOperation? {
        guard let manager = currentManager else {
            load.gaveUp()
            return nil
        }
        var request = request(of: load)
        request.context.callbackQueue = queue(at: place)
        return manager.start(request, callbacks)
    }

    private func request(of load: ObservedLoad) -> ImageRequest {
        var context = WebImageContext()
        load.wish.tiers.apply(to: &context)
        context[ObservedLoad.Key.self] = load
        if load.wish.isThumbnail { context.imageThumbnailPixelSize = PixelSize(width: 1, height: 1) }
        if load.wish.isTransformed { context.imageTransformer = transformer }
        return ImageRequest(SimulatedLoader.url(load.wish.address), options: load.wish.options, context: context)
    }

    private func queue(at place: SchedulePlace?) -> CallbackQueue {
        guard let place else { return .current }
        return CallbackQueue { [schedule] callback in
            if place == .main, schedule.isOnMain { return callback() }
            schedule.add(place, "a callback is called", callback)
        }
    }

    private func awaitResult(_ load: ObservedLoad, _ manager: WebImageManager) {
        let request = request(of: load)
        let task = Task(executorPreference: executor) {
            do throws(WebImageError) {
                load.completed(.success(try await manager.result(for: request) { load.progressed($0) }))
            } catch {
                load.completed(.failure(error))
            }
        }
        load.began(task)
    }

    private func awaitEvents(_ load: ObservedLoad, _ manager: WebImageManager) {
        let request = request(of: load)
        let patience = schedule.random(below: 12)
        let task = Task(executorPreference: executor) {
            do throws(WebImageError) {
                let hasEnded = try await Self.listen(to: manager.events(for: request), load, patience: patience)
                if !hasEnded { load.gaveUp() }
            } catch {
                load.completed(.failure(error))
            }
        }
        load.began(task)
    }

    /// Leaves after so many events, unless the load ends before; returns whether it did.
    private static func listen(
        to events: LoadEvents, _ load: ObservedLoad, patience: Int
    ) async throws(WebImageError) -> Bool {
        var iterator = events.makeAsyncIterator()
        for _ in 0..<patience {
            switch try await iterator.next() {
            case .progress(let progress): load.progressed(progress)
            case .cached(let result): load.received(.cached(result))
            case .partial(let image): load.received(.partial(image))
            case .finished(let result):
                load.completed(.success(result))
                load.check(try await iterator.next() == nil, "an event after the last")
                return true
            // A cancelled task hears of nothing more.
            case nil: return false
            }
        }
        return false
    }

    private func listenLate() {
        guard let load = schedule.pick(loads.running), let operation = load.operation else { return }
        Task(executorPreference: executor) {
            var iterator = operation.events.makeAsyncIterator()
            while let event = try? await iterator.next() {
                guard case .finished = event else { continue }
                let hasMore = try? await iterator.next() != nil
                load.check(hasMore == false, "an event after the last")
            }
        }
    }

    // MARK: Everything else

    private func changeView() {
        guard let view = schedule.pick(views.withLock { $0 }) else { return }
        if schedule.chance(20) { return schedule.add(.main, "a view cancels") { view.cancel() } }
        var wish = wish()
        // What a view shows is to be told from pictures alone.
        if wish.interception == .answer { wish.interception = .none }
        schedule.add(.main, "a view is bound") { [self, wish] in view.bind(makeLoad(wish)) }
    }

    private func prioritize() {
        let priority = schedule.pick(LoadPriority.allCases) ?? .normal
        schedule.pick(loads.running)?.operation?.setPriority(priority)
    }

    private func changeServer() {
        let address = schedule.random(below: server.addressCount)
        server.change(address)
        schedule.note("the server has \(server.picture(at: address))")
    }

    private func forgiveFailures() { currentManager?.removeAllFailedURLs() }

    private func cancelAll() {
        guard let manager = currentManager else { return }
        schedule.note("all are cancelled")
        for load in loads.running { load.mayBeCancelled() }
        manager.cancelAll()
    }

    private func releaseManager() {
        schedule.note("the manager is let go")
        _ = manager.withLock { $0.take() }
    }
}

// MARK: - The end

extension Simulation {
    /// Lets time pass; false when nobody waits for it.
    func wake() -> Bool {
        guard let clock, clock.sleeperCount > 0 else { return false }
        schedule.note("time passes")
        clock.advance(by: Self.interceptorTimeout)
        return true
    }

    /// To be asked when nothing is left to happen; the simulation cannot go on afterwards.
    func checkEnd() {
        for load in loads.all { load.check(load.isSettled, "it never ended") }
        schedule.check(currentManager?.isRunning != true, "something is still running")
        schedule.check(loader.transferCount == 0, "a transfer that nobody waits for goes on")
        for view in views.withLock({ $0 }) {
            schedule.check(view.isSettled, "a view waits for a load that is over, or heard of one twice")
        }
        checkReleases()
    }

    private func checkReleases() {
        for load in loads.all {
            weak let operation = load.release()
            load.check(operation == nil, "it is kept alive after its end")
        }
        weak let shared = currentManager?.core.shared
        releaseManager()
        schedule.check(shared == nil, "what loads share is kept alive after all of them and the manager")
    }
}
