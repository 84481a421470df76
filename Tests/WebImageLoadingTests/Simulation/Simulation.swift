import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageTesting

@testable import WebImageLoading

/// A manager whose collaborators are all simulated, with random requests by views and prefetchers.
final class Simulation: Sendable {
    let schedule: any Schedule
    let server: SimulatedServer
    let cache: SimulatedCache
    let loads: ObservedLoads
    let loader: SimulatedLoader
    let transformer: SimulatedTransformer
    /// nil in half of them: a load with a delegate is not shared.
    let delegate: SimulatedDelegate?
    let clock: ManualClock?
    let executor: StepExecutor?
    private let manager: Mutex<WebImageManager?>
    private let views = Mutex<[SimulatedView]>([])
    /// Called for each load that begins; returns the closure to call at its end.
    let didBegin: @Sendable () -> Step
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
        server = SimulatedServer(addressCount: 3, schedule)
        cache = SimulatedCache(schedule)
        loads = ObservedLoads(schedule)
        loader = SimulatedLoader(schedule, server)
        transformer = SimulatedTransformer(schedule: schedule, loads: loads)
        delegate = schedule.chance(50) ? SimulatedDelegate(schedule, server) : nil
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

    var currentManager: WebImageManager? { manager.withLock { $0 } }

    /// Performs a random action of a user.
    func act() {
        switch schedule.random(below: 100) {
        case ..<34: beginLoad()
        case ..<50: changeView()
        case ..<62: schedule.pick(loads.running.filter { !$0.isOfView })?.cancel()
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

    private func changeView() {
        guard let view = schedule.pick(views.withLock { $0 }) else { return }
        if schedule.chance(20) { return schedule.add(.main, "a view cancels") { view.cancel() } }
        // The content of a view must be identifiable from pictures alone.
        let request = request(answeringItself: false)
        schedule.add(.main, "a view is bound") { [self] in view.bind(makeLoad(request, isOfView: true)) }
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
        loads.cancelAll { manager.cancelAll() }
    }

    private func releaseManager() {
        schedule.note("the manager is let go")
        _ = manager.withLock { $0.take() }
    }
}

// MARK: - The end

extension Simulation {
    /// Lets time pass; false when nothing waits for it.
    func wake() -> Bool {
        guard let clock, clock.sleeperCount > 0 else { return false }
        schedule.note("time passes")
        clock.advance(by: Self.interceptorTimeout)
        return true
    }

    /// Called when no event is left; the simulation cannot continue afterwards.
    func checkEnd() {
        for load in loads.all { load.check(load.isSettled, "it never ended") }
        schedule.check(currentManager?.isRunning != true, "something is still running")
        schedule.check(loader.transferCount == 0, "a transfer without a waiting load continues")
        for view in views.withLock({ $0 }) {
            schedule.check(view.isSettled, "a view waits for a load that is over, or heard of one twice")
        }
        // Threads that have reported the last ending may not have returned yet.
        if schedule.isStepped { checkReleases() }
    }

    /// The number of loads that got the picture of another load's transfer.
    var joinedCount: Int { loads.requests.reduce(0) { $0 + $1.joinedCount } }

    private func checkReleases() {
        for load in loads.all {
            weak let operation = load.release()
            load.check(operation == nil, "it is kept alive after its end")
        }
        weak let shared = currentManager?.core.shared
        releaseManager()
        schedule.check(shared == nil, "what loads share is kept alive after all of them and the manager")
    }

    /// Breaks reference cycles.
    func end() {
        for request in loads.requests { request.end() }
    }
}
