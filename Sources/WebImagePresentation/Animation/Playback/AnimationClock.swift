import Dispatch
import WebImageCore

/// The time of animations, and calls at points of it. On the main actor.
///
/// A test has one whose time it sets itself, and gives it to the player
/// (``AnimatedImagePlayer/init(_:poster:isComplete:transformer:clock:)``).
@MainActor
public protocol AnimationClock: AnyObject {
    /// The time since a fixed point.
    var now: Duration { get }

    /// Calls `body` once, at `time` or soon after, and never before it returns.
    ///
    /// - Returns: The call, to be cancelled. `body` is not called afterwards.
    func call(at time: Duration, _ body: @escaping @MainActor () -> Void) -> any CancellableTask
}

/// The system's monotonic time, which stands still while the system sleeps, and calls on the main queue. The default of
/// players.
@MainActor
public final class MainQueueClock: AnimationClock {
    /// The one of this process.
    public static let shared = MainQueueClock()

    private let start = DispatchTime.now()

    private init() {}

    /// Since the process's first use of this clock.
    public var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds)) }

    /// Calls on the main queue, to the nanosecond as far as the system can.
    public func call(at time: Duration, _ body: @escaping @MainActor () -> Void) -> any CancellableTask {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        let call = TimerCall(timer)
        timer.setEventHandler {
            call.cancel()
            MainActor.assumeIsolated(body)
        }
        timer.schedule(deadline: start + time.seconds, leeway: .milliseconds(0))
        timer.activate()
        return call
    }
}

/// `@unchecked Sendable`: a Dispatch source may be cancelled on any thread.
private final class TimerCall: CancellableTask, @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ timer: any DispatchSourceTimer) { self.timer = timer }

    func cancel() { timer.cancel() }
}
