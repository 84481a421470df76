/// The decision when to hold an app for loads in the background, as a pure value.
///
/// The app is held while such loads run. Their common time limit begins when the app goes into the background, that is,
/// when its last window closes; a new window resets it.
package struct BackgroundGrant: Sendable {
    /// Identifies one load.
    package typealias TaskID = UInt64

    /// An action of the caller; several are performed in order.
    package enum Action: Sendable, Hashable {
        /// Hold the app.
        case hold
        /// Release the app.
        case release
        /// Start the timer for the limit.
        case startTimer
        /// Stop the timer.
        case stopTimer
        /// Tell these loads that their time is up.
        case expire([TaskID])
    }

    private var tasks: Set<TaskID> = []
    private var isInBackground: Bool
    private var isTimed = false

    /// Without loads.
    package init(isInBackground: Bool) { self.isInBackground = isInBackground }

    /// A load began.
    package mutating func begin(_ task: TaskID) -> [Action] {
        let isFirst = tasks.isEmpty
        guard tasks.insert(task).inserted else { return [] }
        return (isFirst ? [.hold] : []) + timing()
    }

    /// A load has ended.
    package mutating func end(_ task: TaskID) -> [Action] {
        guard tasks.remove(task) != nil else { return [] }
        return timing() + (tasks.isEmpty ? [.release] : [])
    }

    /// The app has lost its last window, or has one again.
    package mutating func move(toBackground: Bool) -> [Action] {
        isInBackground = toBackground
        return timing()
    }

    /// The time is up. The loads are cancelled and end one by one; the app is released at once, so that a load that
    /// ignores its cancellation cannot hold it.
    package mutating func expire() -> [Action] {
        guard isTimed else { return [] }
        isTimed = false
        defer { tasks.removeAll() }
        return [.expire(tasks.sorted()), .release]
    }

    private mutating func timing() -> [Action] {
        let counts = isInBackground && !tasks.isEmpty
        guard counts != isTimed else { return [] }
        isTimed = counts
        return [counts ? .startTimer : .stopTimer]
    }
}
