import FoundationEssentials

/// The one transfer of all loads that ask the same at the same time. Lives on the transfer thread.
final class SharedTransfer {
    /// One load that waits.
    struct Subscriber {
        let task: DownloadTask
        var priority: LoadPriority
        /// Bytes of the body that it has been told, if it wants to be told.
        var toldByteCount = 0
    }

    /// The first of those who asked: what is in its key holds for all.
    let load: PreparedLoad
    /// The request under way; nil while the transfer waits for its turn.
    var http: HTTPTransfer?
    /// Its place among those that wait for their turn; nil when it is not there.
    var waitingTicket: WaitingTicket?
    private var subscribers: [Subscriber] = []
    private var tally = PriorityTally()
    /// Of those that have waited since they were last counted: asked in each turn of the loop, for a thousand loads too.
    private var shortestOwnTimeout: Double?
    private var reports: ProgressReports

    init(_ task: DownloadTask, minimumProgressInterval: Double) {
        load = task.load
        reports = ProgressReports(minimumInterval: minimumProgressInterval)
        add(task)
    }

    var key: TransferKey { load.key }

    var isAbandoned: Bool { subscribers.isEmpty }

    /// As urgent as the most urgent of those who wait.
    var priority: LoadPriority { tally.highest }

    /// The time that the most patient of those who wait gives, in seconds.
    func patience(default seconds: Double) -> Double {
        subscribers.map { $0.task.timeout(default: seconds) }.max() ?? seconds
    }

    /// Lets `task` wait with the others, and tells it how far things are: nothing more may come for a while.
    func join(_ task: DownloadTask) {
        add(task)
        if let last = reports.last { task.report(last) }
        reportData(toSubscriberAt: subscribers.endIndex - 1)
    }

    /// False when `task` does not wait here.
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
        if let timeout = task.load.timeout, timeout > 0 {
            shortestOwnTimeout = min(timeout, shortestOwnTimeout ?? timeout)
        }
    }

    /// Tells all who wait how far things are, unless they heard a moment ago.
    func report(_ progress: LoadProgress, at now: SuspendingClock.Instant, isLast: Bool = false) {
        guard reports.isDue(progress, at: now, isLast: isLast) else { return }
        for subscriber in subscribers { subscriber.task.report(progress) }
    }

    /// Hands the bytes that have come to those who want them as they come, each from where it was left.
    func reportData() {
        for index in subscribers.indices { reportData(toSubscriberAt: index) }
    }

    private func reportData(toSubscriberAt index: Int) {
        let subscriber = subscribers[index]
        guard let http, subscriber.task.reportsData else { return }
        let data = http.receivedData(from: subscriber.toldByteCount)
        guard !data.isEmpty else { return }
        subscribers[index].toldByteCount += data.count
        subscriber.task.report(data)
    }

    /// Those whose time without a byte is over; they wait no longer.
    func removeImpatient(idleFor idle: Double, default seconds: Double) -> [DownloadTask] {
        guard leastPatience(default: seconds) <= idle else { return [] }
        let impatient = subscribers.map(\.task).filter { $0.timeout(default: seconds) <= idle }
        for task in impatient { _ = leave(task) }
        shortestOwnTimeout = subscribers.compactMap(\.task.load.timeout).filter { $0 > 0 }.min()
        return impatient
    }

    /// Seconds without a byte before which none of those who wait gives up.
    func leastPatience(default seconds: Double) -> Double {
        min(seconds, shortestOwnTimeout ?? seconds)
    }

    /// Those who wait, in the order in which they came, for whoever tells them the ending.
    func takeSubscribers() -> [Subscriber] {
        defer { subscribers = [] }
        return subscribers
    }
}

extension DownloadTask {
    /// Seconds without a byte that this load bears.
    func timeout(default seconds: Double) -> Double {
        guard let timeout = load.timeout, timeout > 0 else { return seconds }
        return timeout
    }
}

/// Which of a transfer's progress reports are passed on.
struct ProgressReports {
    private let minimumInterval: Double
    private var lastTime: SuspendingClock.Instant?
    private(set) var last: LoadProgress?

    init(minimumInterval: Double) {
        self.minimumInterval = minimumInterval
    }

    /// Whether `progress` is news that may be told now; if so, it counts as told.
    mutating func isDue(_ progress: LoadProgress, at now: SuspendingClock.Instant, isLast: Bool) -> Bool {
        guard progress != last else { return false }
        let isBeginning = progress.receivedByteCount == 0
        if !isLast, !isBeginning, minimumInterval > 0, progress.expectedByteCount != nil, let lastTime,
            lastTime.duration(to: now) < .seconds(minimumInterval)
        {
            return false
        }
        last = progress
        if !isBeginning { lastTime = now }
        return true
    }
}
