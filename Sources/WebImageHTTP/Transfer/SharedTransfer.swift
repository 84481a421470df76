import FoundationEssentials
import WebImageCore

/// The one transfer of all loads with the same request at the same time. Belongs to the transfer thread.
final class SharedTransfer {
    /// A load that waits for the transfer.
    private final class Subscriber {
        let task: DownloadTask
        /// The bytes of the body that were delivered to it so far, if it wants bytes.
        var toldByteCount = 0

        init(_ task: DownloadTask) { self.task = task }
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
    private var subscribers = Subscribers<Subscriber>()
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
    var priority: LoadPriority { subscribers.priority }

    /// The longest timeout of the subscribers.
    func patience(default standard: Duration) -> Duration {
        tasks.map { $0.timeout(default: standard) }.max() ?? standard
    }

    private var tasks: [DownloadTask] { subscribers.all.map(\.task) }

    /// Adds `task`, and reports the progress so far to it, since the next bytes may come late.
    func join(_ task: DownloadTask) {
        let subscriber = add(task)
        if let last = reports.last { task.report(last) }
        reportData(to: subscriber)
    }

    /// False when `task` is no subscriber.
    func leave(_ task: DownloadTask) -> Bool { number(of: task).flatMap { subscribers.remove($0) } != nil }

    func prioritize(_ task: DownloadTask, _ priority: LoadPriority) {
        if let number = number(of: task) { subscribers.setPriority(priority, of: number) }
    }

    private func number(of task: DownloadTask) -> UInt64? { subscribers.number { $0.task === task } }

    @discardableResult
    private func add(_ task: DownloadTask) -> Subscriber {
        let subscriber = Subscriber(task)
        subscribers.add(subscriber, priority: task.load.priority)
        if let timeout = task.load.timeout, timeout > .zero {
            shortestOwnTimeout = min(timeout, shortestOwnTimeout ?? timeout)
        }
        return subscriber
    }

    /// Reports the progress to all subscribers; false when they got a report a moment ago, or have nothing new to get.
    @discardableResult
    func report(_ progress: LoadProgress, at now: SuspendingClock.Instant, isLast: Bool = false) -> Bool {
        guard reports.isDue(progress, at: now, isLast: isLast) else { return false }
        for task in tasks { task.report(progress) }
        return true
    }

    /// Delivers new bytes to the subscribers that want them, each from its last position.
    func reportData() {
        for subscriber in subscribers.all { reportData(to: subscriber) }
    }

    /// The body begins again, perhaps with other bytes. Those who were told bytes of it are told no more: they would join
    /// two files.
    func forgetReportedData() {
        for subscriber in subscribers.all where subscriber.toldByteCount > 0 { subscriber.toldByteCount = .max }
    }

    private func reportData(to subscriber: Subscriber) {
        guard let http, subscriber.task.reportsData else { return }
        let data = http.receivedData(from: subscriber.toldByteCount)
        guard !data.isEmpty else { return }
        subscriber.toldByteCount += data.count
        subscriber.task.report(data)
    }

    /// Removes the subscribers whose timeout has passed.
    func removeImpatient(idleFor idle: Duration, default standard: Duration) -> [DownloadTask] {
        guard leastPatience(default: standard) <= idle else { return [] }
        let impatient = tasks.filter { $0.timeout(default: standard) <= idle }
        for task in impatient { _ = leave(task) }
        shortestOwnTimeout = tasks.compactMap(\.load.timeout).filter { $0 > .zero }.min()
        return impatient
    }

    /// The shortest timeout of the subscribers.
    func leastPatience(default standard: Duration) -> Duration {
        min(standard, shortestOwnTimeout ?? standard)
    }

    /// The use that the loads make of the beginning of a body.
    var keepers: [@Sendable (PartialBody) -> Void] { tasks.compactMap(\.load.keepPartialBody) }

    /// Keeps the beginning of the body for a program that is killed meanwhile.
    func keepCopy(of http: HTTPTransfer, at now: SuspendingClock.Instant) {
        if let keeper = keepers.first, let body = http.copyPartialBody(at: now) { keeper(body) }
    }

    /// Removes all subscribers, and returns them in their order with their priorities; the caller must deliver their end.
    func takeSubscribers() -> [(task: DownloadTask, priority: LoadPriority)] {
        subscribers.removeAll().map { ($0.subscriber.task, $0.priority) }
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
