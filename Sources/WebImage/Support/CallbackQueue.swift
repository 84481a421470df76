import CLinux
import Dispatch

/// Where a load's completion is called.
public struct CallbackQueue: Sendable {
    /// Runs one callback, now or later, exactly once.
    public typealias Runner = @Sendable (_ callback: @escaping @Sendable () -> Void) -> Void

    private let runner: Runner

    /// A queue of the app's own making: another main loop, a test's list of pending callbacks.
    public init(_ runner: @escaping Runner) { self.runner = runner }

    /// Calls back on `queue`, always asynchronously.
    public init(_ queue: DispatchQueue) {
        runner = { callback in queue.async(execute: callback) }
    }

    /// Runs `callback` by this queue's rule.
    public func run(_ callback: @escaping @Sendable () -> Void) { runner(callback) }

    /// The main queue: at once when already on the main thread or queue, otherwise asynchronously. A program must serve
    /// its main queue for that: GTK apps do with WebImageGTK, command line tools with an `async` main.
    public static let main = CallbackQueue { callback in
        if MainQueue.isCurrent { callback() } else { DispatchQueue.main.async(execute: callback) }
    }

    /// Whatever thread the load ends on, without a hop.
    public static let current = CallbackQueue { callback in callback() }
}

private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// A program with an `async` main serves its main queue from other threads than the first: both count as main.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true || webimage_is_main_thread() != 0 }
}
