import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// The stages of one picture, for all loads with the same request at the same time: they run once.
///
/// Each load delivers to its own caller; see ``LoadOperation``.
final class SharedLoad: JoinedLoad {
    struct State {
        var machine: LoadStateMachine
        /// For loads that join later.
        var latest = LatestEvents()
    }

    /// nil for a load that is not shared.
    let key: SharedLoadKey?
    /// The table in which equal requests find it; nil for a load that is not shared.
    private let loads: SharedLoads?
    let stages: LoadStages
    /// Whether the waiting loads have traces. The listeners are part of the key, so that all of them do or none does.
    let isTraced: Bool
    let work: SharedWork<LoadOperation, State>

    init(_ stages: LoadStages, key: SharedLoadKey?, among loads: SharedLoads?, isTraced: Bool) {
        self.stages = stages
        self.key = key
        self.loads = loads
        self.isTraced = isTraced
        work = SharedWork(State(machine: LoadStateMachine(plan: stages.plan)))
    }

    var plan: LoadPlan { stages.plan }

    /// Begins, after its first load has joined.
    func start(inMemory image: Image?) {
        send(.started(inMemory: image, use: image.map { plan.use(of: $0, at: stages.shared.now()) } ?? .atOnce))
    }

    // MARK: Waiting loads

    /// Adds `operation`, and delivers the current state to it.
    ///
    /// - Returns: Its number, 1 for the first, which must start this load; nil when this load is over.
    @discardableResult
    func join(_ operation: LoadOperation) -> UInt64? {
        // Noted within the lock, so that it comes before later events, and delivered below.
        let priority = operation.priority
        let joined = work.join(operation, priority: priority) { operation.note($0.machine.stage, $0.latest) }
        guard let (number, news) = joined else { return nil }
        operation.wait(for: .stages(self, number))
        // It may have changed before the load had a source to tell.
        if operation.priority != priority { work.setPriority(operation.priority, of: number) }
        operation.tell(news)
        return number
    }

    func leave(_ number: UInt64) {
        if let action = work.leave(number, abandon: { $0.machine.handle(.cancelled) }) { perform(action) }
    }

    func setPriority(_ priority: LoadPriority, of number: UInt64) { work.setPriority(priority, of: number) }

    // MARK: Delivery

    func report(_ progress: LoadProgress) {
        let waiting: [LoadOperation] = work.withLock { content in
            guard content.state.machine.isRunning else { return [] }
            content.state.latest.add(.progress(progress))
            return content.subscribers.all
        }
        for operation in waiting { operation.report(progress) }
    }

    func tell(part: Image) {
        let (waiting, before) = work.withLock { content in
            guard content.state.machine.takesParts else { return ([], nil) as ([LoadOperation], LatestEvents?) }
            let before = content.state.latest
            content.state.latest.add(.partial(part))
            return (content.subscribers.all, before)
        }
        for operation in waiting { operation.receive(.partial(part)) }
        withExtendedLifetime(before) {}
    }

    func tell(_ update: LoadEvent) {
        for operation in work.withLock({ $0.subscribers.all }) { operation.receive(update) }
    }

    /// Delivers one end to all waiting loads.
    func end(_ ending: LoadEnding) {
        stages.note(ending.outcome)
        let waiting = work.end()
        release()
        for operation in waiting { operation.finish(ending) }
    }

    /// Lets no other load find it, and drops what only waiting loads need.
    func release() {
        if let key { loads?.remove(self, of: key) }
        let latest = work.withLock { content in
            defer { content.state.latest.removeAll() }
            return content.state.latest
        }
        withExtendedLifetime(latest) {}
    }
}

/// The running loads that can be joined.
typealias SharedLoads = SharedWorks<SharedLoadKey, SharedLoad>
