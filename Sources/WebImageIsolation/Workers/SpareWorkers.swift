import Dispatch
import Synchronization
import WebImageCore

/// Workers that have been forked and locked in before a picture needs them. They have seen none, so that they weaken nothing.
/// Any thread.
final class SpareWorkers: Sendable {
    struct Key: Hashable {
        let kind: DecoderKind
        let allowance: WorkerAllowance
    }

    typealias Fork = @Sendable () -> SocketConnection?

    /// A worker that is being forked, or soon will be.
    private final class Order: Sendable {
        private let isTaken = Atomic(false)
        private let completion = DispatchGroup()
        let fork: Fork

        init(_ fork: @escaping Fork) {
            self.fork = fork
            completion.enter()
        }

        /// True for the first one that asks.
        func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
        func complete() { completion.leave() }
        func wait() { completion.wait() }
    }

    private let idle: IdleWorkers<Key>
    private let orders = Mutex<[Key: Order]>([:])

    /// One for each of the kinds that an app shows at a time.
    static let maximumCount = 4
    static let idleTime = Duration.seconds(10)

    init(pressure: MemoryPressure = .shared) {
        idle = IdleWorkers(maximumCount: Self.maximumCount, idleTime: Self.idleTime, pressure: pressure)
    }

    /// A worker that is ready, or will be in a moment; nil where none is, and none is ordered.
    func take(_ key: Key, within limits: ImageLimits) -> SocketConnection? {
        while true {
            if let worker = idle.take(key, within: limits) { return worker.connection as? SocketConnection }
            guard let order = orders.withLock({ $0[key] }) else { return nil }
            if order.take() {
                defer { finish(order, for: key) }
                guard let connection = order.fork(), connection.begin(within: limits) else { return nil }
                return connection
            }
            order.wait()
        }
    }

    /// Lets a worker be forked for the next picture, where there is none.
    func order(_ key: Key, in background: BackgroundWork, fork: @escaping Fork) {
        guard !idle.contains(key) else { return }
        let order = orders.withLock { orders -> Order? in
            guard orders[key] == nil else { return nil }
            let order = Order(fork)
            orders[key] = order
            return order
        }
        guard let order else { return }
        background.add { [weak self] in self?.perform(order, for: key) }
    }

    /// Ends those that have waited for long.
    func dropIdle(at now: ContinuousClock.Instant) { idle.dropIdle(at: now) }

    func dropAll() { idle.dropAll() }

    private func perform(_ order: Order, for key: Key) {
        // A picture may have come first.
        guard order.take() else { return }
        if let connection = order.fork() { idle.add(IdleWorker(connection: connection), for: key) }
        finish(order, for: key)
    }

    private func finish(_ order: Order, for key: Key) {
        orders.withLock { orders in
            if orders[key] === order { orders[key] = nil }
        }
        order.complete()
    }
}
