import Synchronization
import WebImageCore
import WebImagePresentation

/// A clock that a test sets. It calls in order of time.
@MainActor
package final class ManualAnimationClock: AnimationClock {
    package private(set) var now = Duration.zero
    private var calls: [(time: Duration, call: Call, body: @MainActor () -> Void)] = []

    private final class Call: CancellableTask {
        private let cancelled = Mutex(false)
        var isCancelled: Bool { cancelled.withLock { $0 } }
        func cancel() { cancelled.withLock { $0 = true } }
    }

    /// The calls that are due some time.
    package var pendingCount: Int { calls.count { !$0.call.isCancelled } }
    package var nextTime: Duration? { calls.filter { !$0.call.isCancelled }.map(\.time).min() }

    package init() {}

    package func call(at time: Duration, _ body: @escaping @MainActor () -> Void) -> any CancellableTask {
        let call = Call()
        calls.append((time, call, body))
        return call
    }

    /// Lets `time` pass, and calls at each due point.
    package func advance(by time: Duration) {
        let end = now + time
        while let next = takeNext(until: end) {
            now = max(now, next.time)
            next.body()
        }
        now = end
    }

    /// Changes the time without a call.
    package func jump(by time: Duration) { now += time }

    private func takeNext(until end: Duration) -> (time: Duration, body: @MainActor () -> Void)? {
        calls.removeAll { $0.call.isCancelled }
        guard let index = calls.indices.filter({ calls[$0].time <= end }).min(by: { calls[$0].time < calls[$1].time })
        else { return nil }
        let next = calls.remove(at: index)
        return (next.time, next.body)
    }
}
