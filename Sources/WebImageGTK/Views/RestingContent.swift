/// What a widget shows when nothing moves.
enum RestingContent {
    case nothing
    case picture(StillContent)
    /// Something that the app put there itself.
    case other(PaintableHandle)

    var still: StillContent? {
        guard case .picture(let still) = self else { return nil }
        return still
    }

    /// The same for a transition to lead to.
    var viewContent: ViewContent? {
        switch self {
        case .nothing: nil
        case .picture(let still): ViewContent(still)
        case .other(let paintable): ViewContent(currentImageOf: paintable)
        }
    }
}
