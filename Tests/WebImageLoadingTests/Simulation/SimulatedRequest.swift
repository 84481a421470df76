import FoundationEssentials
import Synchronization
import WebImageCore

/// The request of one load or several identical ones, and the calls and reports of their loader.
final class SimulatedRequest: Sendable {
    /// The request, as far as the rules depend on it.
    struct Wish: Sendable {
        var address: Int
        var options: WebImageOptions = []
        var isThumbnail = false
        var isTransformed = false
        var tiers = SimulatedTiers.usual
        var interception = SimulatedInterceptor.Deed.none
    }

    /// A report of the loader.
    enum Answer: Sendable {
        case picture(SimulatedPicture)
        case notModified(SimulatedPicture)
        case failure(WebImageError.Code)
    }

    enum Key: WebImageContext.Key {
        typealias Value = SimulatedRequest
    }

    private struct State {
        var context = WebImageContext()
        var loads: [ObservedLoad] = []
        var answers: [Answer] = []
        var tasks: [SimulatedLoadTask] = []
        /// Calls of the loader that have not returned, by their tasks: only afterwards can the new load be cancelled.
        var calls: [SimulatedLoadTask] = []
    }

    let wish: Wish
    /// Whether a delegate is asked about each of its loads.
    private let hasDelegate: Bool
    private let schedule: any Schedule
    private let state = Mutex(State())

    init(_ wish: Wish, hasDelegate: Bool, transformer: SimulatedTransformer, _ schedule: any Schedule) {
        self.wish = wish
        self.hasDelegate = hasDelegate
        self.schedule = schedule
        var context = WebImageContext()
        wish.tiers.apply(to: &context)
        context[Key.self] = self
        if wish.isThumbnail { context.thumbnailPixelSize = PixelSize(width: 1, height: 1) }
        if wish.isTransformed { context.transformer = transformer }
        state.withLock { $0.context = context }
    }

    func imageRequest(calledBackOn queue: CallbackQueue? = nil) -> ImageRequest {
        var context = state.withLock { $0.context }
        context.callbackQueue = queue
        return ImageRequest(SimulatedLoader.url(wish.address), options: wish.options, context: context)
    }

    func add(_ load: ObservedLoad) { state.withLock { $0.loads.append(load) } }

    /// Releases everything, including itself.
    func end() {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        withExtendedLifetime(last) {}
    }

    var loads: [ObservedLoad] { state.withLock { $0.loads } }
    var answers: [Answer] { state.withLock { $0.answers } }
    /// Whether several loads share it, so that an answer may belong to another one.
    var isShared: Bool { state.withLock { $0.loads.count > 1 } }
    var isAskingLoader: Bool { state.withLock { !$0.calls.isEmpty } }

    /// The number of loads that got a picture from a transfer of another load.
    var joinedCount: Int {
        let pictures = answers.count { if case .picture(let picture) = $0 { !picture.isBroken } else { false } }
        return max(0, loads.count { $0.wasLoaded } - pictures)
    }

    func note(_ text: @autoclosure () -> String) {
        let numbers = loads.map { "\($0.number)" }.joined(separator: ", ")
        schedule.note("load \(numbers): \(text())")
    }

    // MARK: The loader's reports

    func loaderIsAsked(_ task: SimulatedLoadTask) {
        let (loads, underWay) = state.withLock { state in
            let underWay = state.tasks.count { task in !task.isOver && !state.calls.contains { $0 === task } }
            state.tasks.append(task)
            state.calls.append(task)
            return (state.loads, underWay)
        }
        check(!wish.options.contains(.fromCacheOnly), "the loader is asked, against fromCacheOnly")
        guard schedule.isStepped else { return }
        check(underWay < (goesTogether ? 1 : loads.count), "a transfer too many at a time")
        // A request of an interceptor may be pending at the end; it is cancelled as soon as it has begun.
        let isWanted = wish.interception.takesOver || loads.contains { !$0.isEndedOrCancelled }
        check(isWanted, "the loader is asked after the end")
    }

    func loaderReturned(_ task: SimulatedLoadTask) { state.withLock { $0.calls.removeAll { $0 === task } } }

    func loaderAnswered(_ answer: Answer) { state.withLock { $0.answers.append(answer) } }

    /// A transfer has news, while no pending event could still cancel it.
    func checkWantsTransfer() {
        check(loads.contains { !$0.wasCancelled }, "its transfer goes on after cancel() returned")
    }

    /// Whether its loads join each other.
    private var goesTogether: Bool {
        !hasDelegate && wish.interception != .rewrite
            && wish.options.isDisjoint(with: [.refreshCached, .queryDiskDataSync, .queryMemoryDataSync])
    }

    private func check(_ condition: Bool, _ text: @autoclosure () -> String) {
        schedule.check(condition, "load \(loads.map { "\($0.number)" }.joined(separator: ", ")): \(text())")
    }
}
