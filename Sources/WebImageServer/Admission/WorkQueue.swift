import Dispatch
import Synchronization
import WebImage

/// Runs the work of making pictures, as many at a time as there are workers, in the order of ``WorkOrder``.
final class WorkQueue: Sendable {
    private typealias Job = @Sendable () -> Void

    private let order: Mutex<WorkOrder<Job>>
    private let threads = DispatchQueue(label: "webimage.service.work", qos: .userInitiated, attributes: .concurrent)
    private let start = ContinuousClock.now

    init(workers: Int) { order = Mutex(WorkOrder(places: workers)) }

    var waitingCount: Int { order.withLock { $0.waitingCount } }
    var runningCount: Int { order.withLock { $0.runningCount } }

    /// Whether work that is added now has to wait.
    var isBusy: Bool { order.withLock { $0.runningCount >= $0.places } }

    /// The result of work that takes about `cost` seconds.
    func run<Value: Sendable>(
        cost: Double, _ work: @escaping @Sendable () throws(WebImageError) -> Value
    ) async throws(WebImageError) -> Value {
        let result = await withCheckedContinuation { continuation in
            let job: Job = { continuation.resume(returning: Result { () throws(WebImageError) in try work() }) }
            let now = start.duration(to: .now) / .seconds(1)
            order.withLock { $0.add(job, cost: cost, now: now) }
            startNext()
        }
        return try result.get()
    }

    private func startNext() {
        while let next = order.withLock({ $0.next() }) {
            threads.async { [self] in
                next.job()
                order.withLock { $0.end(isLarge: next.isLarge) }
                startNext()
            }
        }
    }
}
