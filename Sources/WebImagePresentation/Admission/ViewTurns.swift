/// The turn of a view's load, as a pure value: the load may begin while its view is seen or near.
package struct ViewTurn: Sendable, Hashable {
    /// Whether it waits for a scroller to slow down.
    private let isPatient: Bool
    /// The place of the view at the latest look.
    package private(set) var visibility = ViewVisibility.far
    /// The time at which the view has come into sight; nil while it is out of sight.
    package fileprivate(set) var seenSince: Duration?

    /// That of a load that waits.
    package init(isPatient: Bool) { self.isPatient = isPatient }

    /// The view is there after a layout.
    ///
    /// - Parameter allowsNear: Whether loads of near views may begin. One that has begun goes on while its view is near, also
    ///   when that has just gone out of sight.
    /// - Returns: The new place; nil if it is the former one.
    @discardableResult
    package mutating func move(
        to standing: ViewStanding, at now: Duration, allowsNear: Bool
    ) -> ViewVisibility? {
        let former = visibility
        let isHeld = former == .far && isPatient && standing.isFlying
        visibility = isHeld ? .far : standing.visibility(allowsNear: allowsNear || former != .far)
        guard visibility != former else { return nil }
        seenSince = visibility == .seen ? now : nil
        return visibility
    }
}

/// A load that begins when its turn comes.
package protocol TurnTaking: Identifiable where ID: Comparable {
    var turn: ViewTurn { get set }
}

/// The loads of a screen full of views, from their requests to their ends, as a pure value. A look moves those of visible
/// views in reading order, and then the others, the nearest first.
///
/// The caller tells each load its new place before it asks for the next one. So a load may end others, or let the app scroll,
/// which begins another look: the rest of the first one is out of date then, and forgotten.
package struct ViewTurns<Load: TurnTaking> {
    package typealias View = (id: Load.ID, standing: ViewStanding)

    /// The time that each load of a visible view has before those of near ones begin, whether it has ended or not.
    package var patience = Duration.seconds(1)
    package private(set) var loads: [Load.ID: Load] = [:]
    /// The views that the present look has still to move.
    private var rest: ArraySlice<View> = []
    /// Whether near loads may begin; nil before the present look has moved all visible views.
    private var allowsNear: Bool?

    package init() {}

    package mutating func add(_ load: Load) { loads[load.id] = load }

    @discardableResult
    package mutating func remove(_ id: Load.ID) -> Load? { loads.removeValue(forKey: id) }

    /// Begins a look, in place of the one before it.
    package mutating func look(at views: [View], isRightToLeft: Bool) {
        rest = LoadOrder.sort(views, isRightToLeft: isRightToLeft)[...]
        allowsNear = nil
        for view in rest where !view.standing.isVisible { loads[view.id]?.turn.seenSince = nil }
    }

    /// The next load whose view has moved, with its new place; nil at the end of the look.
    package mutating func next(at now: Duration) -> (load: Load, visibility: ViewVisibility)? {
        while let view = rest.popFirst() {
            if allowsNear == nil, !view.standing.isVisible { allowsNear = timeOfNear(at: now) == nil }
            let visibility = loads[view.id]?.turn.move(to: view.standing, at: now, allowsNear: allowsNear ?? false)
            if let visibility, let load = loads[view.id] { return (load, visibility) }
        }
        return nil
    }

    /// The time at which the last load of a visible view has had its patience; nil if near ones may begin.
    package func timeOfNear(at now: Duration) -> Duration? {
        let last = loads.values.compactMap(\.turn.seenSince).max().map { $0 + patience }
        return last.flatMap { $0 > now ? $0 : nil }
    }
}
