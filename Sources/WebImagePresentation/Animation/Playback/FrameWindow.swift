/// The frames that a player needs next, in playing order.
struct FrameWindow {
    var sequence: FrameSequence
    var place: Int
    /// The number of frames decoded ahead, at least 1; `.max` for all.
    var count: Int
    /// Whether frames that were shown may stay for the next play.
    var keepsShown = true
    /// The frame on display, which is kept.
    var shown: Int?
    /// Called once when the frame that the player stands still for is there.
    var missing: Missing?

    struct Missing {
        let index: Int
        let arrived: @Sendable () -> Void
    }

    /// The indices from the nearest on. A frame may come twice.
    var indices: some Sequence<Int> {
        Swift.sequence(first: place) { [sequence] in sequence.place(after: $0) }.lazy
            .prefix(min(count, sequence.lastPlace + 1)).map { [sequence] in sequence.index(at: $0) }
    }
}
