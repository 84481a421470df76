import CLinux
import Dispatch

/// The queue on which a load's completion is called.
///
/// ```swift
/// context.callbackQueue = .main                                // the default
/// context.callbackQueue = CallbackQueue(myQueue)               // at once for callers on myQueue
/// context.callbackQueue = CallbackQueue(myQueue, policy: .dispatch)
/// ```
public struct CallbackQueue: Sendable {
    /// Runs one callback, now or later, once.
    package typealias Runner = @Sendable (_ callback: @escaping @Sendable () -> Void) -> Void

    /// When a callback runs at once and when it is sent to the queue.
    public enum Policy: Sendable, Hashable {
        /// At once when the caller is already on the queue, or on one that targets it; otherwise asynchronously. Always
        /// asynchronously on the global queues, which have no identity.
        case safeExecute
        /// Always asynchronously.
        case dispatch
        /// Always at once, on the thread where the work ends; the queue is not used.
        case invoke
        /// At once on the main thread and on the main queue, otherwise asynchronously on the main queue, whatever the
        /// queue is.
        case safeAsyncMainThread
    }

    /// The frequent destinations are cases of their own: they allocate nothing but the callback itself.
    private enum Destination {
        case main
        case current
        case queue(DispatchQueue)
        case queueUnlessThere(DispatchQueue, QueueIdentity)
        case runner(Runner)
    }

    private let destination: Destination

    private init(_ destination: Destination) { self.destination = destination }

    /// Calls back on `queue` according to `policy`.
    public init(_ queue: DispatchQueue, policy: Policy = .safeExecute) {
        switch policy {
        case .safeExecute:
            if let identity = QueueIdentity(of: queue) {
                self.init(.queueUnlessThere(queue, identity))
            } else {
                self.init(.queue(queue))
            }
        case .dispatch: self.init(.queue(queue))
        case .invoke: self.init(.current)
        case .safeAsyncMainThread: self.init(.main)
        }
    }

    /// An app's own queue: another main loop, or a test's list of pending callbacks.
    ///
    /// - Parameter runner: Must run each callback once, on any thread. A callback that it releases without running it,
    ///   as a finished loop does, runs on the main queue, and a warning is logged: code that waits for the load must
    ///   get its end.
    public init(_ runner: @escaping @Sendable (_ callback: @escaping @Sendable () -> Void) -> Void) {
        self.init(.runner(runner))
    }

    /// The main queue: at once when already on the main thread or queue, otherwise asynchronously. A program must serve
    /// its main queue for that: GTK apps do with WebImageGTK, command line tools with an `async` main.
    public static let main = CallbackQueue(.main)

    /// The thread on which the load ends, without a hop. In SDWebImage it is the queue on which it was created; on
    /// Linux a caller's queue cannot be found. Name the queue, to be called on it.
    public static let current = CallbackQueue(.current)

    /// A global queue of default priority, always asynchronously: callbacks may run at the same time and in any order.
    public static let global = CallbackQueue(.queue(.global()))

    /// Whether ``run(_:)`` would run a callback before it returns, as far as the library itself decides that. Then a
    /// caller needs no closure.
    package var isCurrent: Bool {
        switch destination {
        case .main: MainQueue.isCurrent
        case .current: true
        case .queue, .runner: false
        case .queueUnlessThere(_, let identity): identity.isCurrent
        }
    }

    /// Runs `callback` according to this queue's policy.
    public func run(_ callback: @escaping @Sendable () -> Void) {
        switch destination {
        case .main:
            if MainQueue.isCurrent { callback() } else { DispatchQueue.main.async(execute: callback) }
        case .current: callback()
        case .queue(let queue): queue.async(execute: callback)
        case .queueUnlessThere(let queue, let identity):
            if identity.isCurrent { callback() } else { queue.async(execute: callback) }
        case .runner(let runner): runner(callback)
        }
    }

    /// Runs `callback` according to this queue's policy, or `dropped` when the queue releases it without running it:
    /// one of the two, once.
    ///
    /// - Parameter dropped: Called on the thread that releases the callback, which may hold the queue's own locks.
    package func run(_ callback: @escaping @Sendable () -> Void, dropped: @escaping @Sendable () -> Void) {
        // Dispatch never drops callbacks.
        guard case .runner(let runner) = destination else { return run(callback) }
        let delivery = Delivery(callback: callback, dropped: dropped)
        runner { delivery.run() }
    }
}

private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// A program with an `async` main serves its main queue from other threads than the first: both count as main.
    static var isCurrent: Bool { webimage_is_main_thread() != 0 || DispatchQueue.getSpecific(key: key) == true }
}
