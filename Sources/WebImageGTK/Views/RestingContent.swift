/// The content of a widget at rest.
enum RestingContent {
    case nothing
    case picture(StillContent)
    /// A paintable that the app has set.
    case other(PaintableHandle)

    var still: StillContent? {
        guard case .picture(let still) = self else { return nil }
        return still
    }

    /// The same as the end of a transition.
    var viewContent: ViewContent? {
        switch self {
        case .nothing: nil
        case .picture(let still): ViewContent(still)
        case .other(let paintable): ViewContent(currentImageOf: paintable)
        }
    }
}
