/// When an app is held for loads that go on in the background, as a pure value.
///
/// The app is held as long as such loads run. Their time begins when the app has gone into the background, that is, when
/// it has no window any more, and it is theirs together; a window that comes back gives it back in full.
package struct BackgroundGrant: Sendable {
    /// Names one load.
    package typealias TaskID = UInt64

    /// What is to be done, in the order given.
    package enum Action: Sendable, Hashable {
        /// Keep the app alive.
        case hold
        /// The app may end.
        case release
        /// Begin to wait for the end of the time.
        case startTimer
        /// Time does not count any more.
        case stopTimer
        /// Tell these that their time is up.
        case expire([TaskID])
    }

    private var tasks: Set<TaskID> = []
    private var isInBackground: Bool
    private var isTimed = false

    /// Nothing runs.
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

    /// The time is up. The loads are cancelled and end one by one; the app is let go at once all the same, since a load
    /// that does not listen must not keep it.
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
