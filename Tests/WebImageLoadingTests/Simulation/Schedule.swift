/// Runs the steps of a ``Simulation``: one at a time in the order of a seed, or on threads in parallel.
protocol Schedule: Sendable {
    /// Whether a seed always gives the same order of events, so that rules about the order can be checked.
    var isStepped: Bool { get }

    /// Schedules `step` to run once, at some later time.
    func add(_ place: SchedulePlace, _ name: @escaping @autoclosure @Sendable () -> String, _ step: @escaping Step)

    /// A point where other threads may overtake this one. Called where the library calls foreign code, and so never
    /// under one of its locks.
    func interleave()

    /// Runs `body` without interruption, as within the cancellation handlers of tasks, which hold a lock of their own.
    func withoutInterleaving(_ body: () -> Void)

    /// Whether the caller runs at ``SchedulePlace/main``.
    var isOnMain: Bool { get }

    /// Whether the running step does not interrupt another one.
    var isAlone: Bool { get }

    /// Increases with every event.
    var time: Int { get }

    /// The start of the running step.
    var stepBegan: Int { get }

    /// A random number from the seed.
    func random(below limit: Int) -> Int

    /// A line of the story.
    func note(_ text: @autoclosure () -> String)

    /// Records a broken rule.
    func fail(_ text: String)
}

typealias Step = @Sendable () -> Void

/// The place where a step runs.
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
