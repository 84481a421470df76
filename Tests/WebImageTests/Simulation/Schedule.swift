/// Who does what next in a ``Simulation``: one thing at a time as a seed has it, or threads all at once.
protocol Schedule: Sendable {
    /// Whether one seed always gives one order of events, so that rules about that order can be checked.
    var isStepped: Bool { get }

    /// Lets `step` happen some time from now, once.
    func add(_ place: SchedulePlace, _ name: @escaping @autoclosure @Sendable () -> String, _ step: @escaping Step)

    /// A point where any other thread may get ahead of this one. Called where the library calls something foreign, and so
    /// never under one of its locks.
    func interleave()

    /// Runs `body` with nothing else in between, as within the cancellation handlers of tasks, which hold a lock of theirs.
    func withoutInterleaving(_ body: () -> Void)

    /// Whether the caller is where ``SchedulePlace/main`` is.
    var isOnMain: Bool { get }

    /// Whether the step that runs interrupts no other.
    var isAlone: Bool { get }

    /// Rises with all that happens.
    var time: Int { get }

    /// When the step that runs began.
    var stepBegan: Int { get }

    /// A number of the seed's.
    func random(below limit: Int) -> Int

    /// A line of the story.
    func note(_ text: @autoclosure () -> String)

    /// A rule was broken.
    func fail(_ text: String)
}

typealias Step = @Sendable () -> Void

/// Where a step runs.
enum SchedulePlace: Sendable {
    case anywhere
    /// One at a time, in order.
    case main
}

extension Schedule {
    func chance(_ percent: Int) -> Bool { random(below: 100) < percent }

    func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[random(below: elements.count)]
    }

    func check(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { fail(text()) }
    }
}
