import FoundationEssentials
import WebImageCore

/// The one transfer of all loads with the same request at the same time. Belongs to the transfer thread.
final class SharedTransfer {
    /// A load that waits for the transfer.
    struct Subscriber {
        let task: DownloadTask
        var priority: LoadPriority
        /// The bytes of the body that were delivered to it so far, if it wants bytes.
        var toldByteCount = 0
    }

    /// The first load: its transfer key is the same for all subscribers.
    let load: PreparedLoad
    /// The exchange under way; nil while the transfer is queued.
    var http: HTTPTransfer?
    /// When it left the queue.
    var start = SuspendingClock.now
    /// The redirects that it has followed.
    private(set) var redirectCount = 0
    /// Seconds until one of them has to be asked for again; nil without any.
    private(set) var redirectLifetime: Double?
    /// The times of the exchanges before the last one.
    private(set) var metrics: TransferMetrics?
    private let queuedAt = SuspendingClock.now
    /// Its place in the queue; nil when it is not queued.
    var waitingTicket: WaitingTicket?
    private var subscribers: [Subscriber] = []
    private var tally = PriorityTally()
    /// The shortest timeout of the current subscribers, cached: each turn of the loop reads it, with up to a thousand
    /// loads.
    private var shortestOwnTimeout: Duration?
    private var reports: ProgressReports

    init(_ task: DownloadTask, minimumProgressInterval: Duration) {
        load = task.load
        reports = ProgressReports(minimumInterval: minimumProgressInterval)
        add(task)
    }

    var key: TransferKey { load.key }

    /// Notes that `response` is followed.
    func note(redirect response: HTTPResponse) {
        redirectCount += 1
        redirectLifetime = min(
            redirectLifetime ?? .infinity, HTTPCacheRules.redirectLifetime(of: response, at: Date()))
    }

    /// Adds the times of an exchange that has ended, and that another one follows.
    func add(_ next: TransferMetrics) { metrics = metrics(followedBy: next) }

    /// The times of all exchanges, the last of which is not among ``metrics`` yet.
    func metrics(followedBy next: TransferMetrics) -> TransferMetrics {
        var sum = metrics?.followed(by: next) ?? next
        sum.queued = queuedAt.duration(to: start)
        sum.redirectCount = redirectCount
        return sum
    }

    var isAbandoned: Bool { subscribers.isEmpty }

    /// The highest priority of the subscribers.
    var priority: LoadPriority { tally.highest }

    /// The longest timeout of the subscribers.
    func patience(default standard: Duration) -> Duration {
        subscribers.map { $0.task.timeout(default: standard) }.max() ?? standard
    }

    /// Adds `task`, and reports the progress so far to it, since the next bytes may come late.
    func join(_ task: DownloadTask) {
        add(task)
        if let last = reports.last { task.report(last) }
        reportData(toSubscriberAt: subscribers.endIndex - 1)
    }

    /// False when `task` is no subscriber.
    func leave(_ task: DownloadTask) -> Bool {
        guard let index = subscribers.firstIndex(where: { $0.task === task }) else { return false }
        tally.remove(subscribers.remove(at: index).priority)
        return true
    }

    func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        guard let index = subscribers.firstIndex(where: { $0.task === task }) else { return }
        tally.remove(subscribers[index].priority)
        tally.add(priority)
        subscribers[index].priority = priority
    }

    private func add(_ task: DownloadTask) {
        subscribers.append(Subscriber(task: task, priority: task.load.priority))
        tally.add(task.load.priority)
        if let timeout = task.load.timeout, timeout > .zero {
            shortestOwnTimeout = min(timeout, shortestOwnTimeout ?? timeout)
        }
    }

    /// Reports the progress to all subscribers; false when they got a report a moment ago, or have nothing new to get.
    @discardableResult
    func report(_ progress: LoadProgress, at now: SuspendingClock.Instant, isLast: Bool = false) -> Bool {
        guard reports.isDue(progress, at: now, isLast: isLast) else { return false }
        for subscriber in subscribers { subscriber.task.report(progress) }
        return true
    }

    /// Delivers new bytes to the subscribers that want them, each from its last position.
    func reportData() {
        for index in subscribers.indices { reportData(toSubscriberAt: index) }
    }

    /// The body begins again, perhaps with other bytes. Those who were told bytes of it are told no more: they would join
    /// two files.
    func forgetReportedData() {
        for index in subscribers.indices where subscribers[index].toldByteCount > 0 {
            subscribers[index].toldByteCount = .max
        }
    }

    private func reportData(toSubscriberAt index: Int) {
        let subscriber = subscribers[index]
        guard let http, subscriber.task.reportsData else { return }
        let data = http.receivedData(from: subscriber.toldByteCount)
        guard !data.isEmpty else { return }
        subscribers[index].toldByteCount += data.count
        subscriber.task.report(data)
    }

    /// Removes the subscribers whose timeout has passed.
    func removeImpatient(idleFor idle: Duration, default standard: Duration) -> [DownloadTask] {
        guard leastPatience(default: standard) <= idle else { return [] }
        let impatient = subscribers.map(\.task).filter { $0.timeout(default: standard) <= idle }
        for task in impatient { _ = leave(task) }
        shortestOwnTimeout = subscribers.compactMap(\.task.load.timeout).filter { $0 > .zero }.min()
        return impatient
    }

    /// The shortest timeout of the subscribers.
    func leastPatience(default standard: Duration) -> Duration {
        min(standard, shortestOwnTimeout ?? standard)
    }

    /// What the loads do with the beginning of a body.
    var keepers: [@Sendable (PartialBody) -> Void] { subscribers.compactMap(\.task.load.keepPartialBody) }

    /// Keeps the beginning of the body for a program that is killed meanwhile.
    func keepCopy(of http: HTTPTransfer, at now: SuspendingClock.Instant) {
        let keeper = subscribers.first { $0.task.load.keepPartialBody != nil }?.task.load.keepPartialBody
        if let keeper, let body = http.copyPartialBody(at: now) { keeper(body) }
    }

    /// Removes all subscribers and returns them in their order; the caller must deliver their end.
    func takeSubscribers() -> [Subscriber] {
        defer { subscribers = [] }
        return subscribers
    }
}

extension DownloadTask {
    /// The load's timeout.
    func timeout(default standard: Duration) -> Duration {
        guard let timeout = load.timeout, timeout > .zero else { return standard }
        return timeout
    }
}

/// Decides which progress reports of a transfer are delivered.
struct ProgressReports {
    private let minimumInterval: Duration
    private var lastTime: SuspendingClock.Instant?
    private(set) var last: LoadProgress?

    init(minimumInterval: Duration) {
        self.minimumInterval = minimumInterval
    }

    /// Whether `progress` is new and may be delivered now; if so, it counts as delivered.
    mutating func isDue(_ progress: LoadProgress, at now: SuspendingClock.Instant, isLast: Bool) -> Bool {
        guard progress != last else { return false }
        let isBeginning = progress.receivedByteCount == 0
        if !isLast, !isBeginning, minimumInterval > .zero, progress.expectedByteCount != nil, let lastTime,
            lastTime.duration(to: now) < minimumInterval
        {
            return false
        }
        last = progress
        if !isBeginning { lastTime = now }
        return true
    }
}
