/// Whether the controls over a picture are visible, and until when.
package struct ControlsVisibility: Sendable, Equatable {
    /// Fading and sliding away takes so long, in seconds; they slide by ``slide`` points.
    package static let fadeDuration = 0.35
    package static let slide = 20.0

    package private(set) var isVisible = true
    /// When they go; nil while nothing is planned.
    package private(set) var deadline: Duration?

    /// Whether they stay in any case.
    package var isPinned = false {
        didSet {
            if isPinned {
                isVisible = true
                deadline = nil
            }
        }
    }

    package init() {}

    /// Shows them, and plans the time to hide them.
    package mutating func show(at time: Duration, for delay: Duration?) {
        isVisible = true
        deadline = isPinned ? nil : delay.map { time + $0 }
    }

    package mutating func hide() {
        guard !isPinned else { return }
        isVisible = false
        deadline = nil
    }

    /// A drag or a zoom begins: nothing is hidden during it.
    package mutating func holdTimer() { deadline = nil }

    /// A drag or a zoom has ended: the time begins anew.
    package mutating func restartTimer(at time: Duration, for delay: Duration?) {
        if isVisible, !isPinned { deadline = delay.map { time + $0 } }
    }

    /// Hides them when their time has come.
    package mutating func pass(to time: Duration) {
        if let deadline, time >= deadline { hide() }
    }
}
