import WebImage

/// The current content: the picture and its appearance.
extension PaintableDisplay {
    /// The picture's alpha and transform; an app's own paintable has neither. A change shows at once, unless it is made
    /// within the changes of a transition.
    var appearance: ViewAppearance {
        get { appearances.asked }
        set {
            appearances.asked = newValue
            if !isChanging { showAppearance() }
        }
    }

    func showAppearance() {
        let appearance = appearances.asked
        appearances.seen = appearance
        if running != nil {
            running?.appearances = (appearance, appearance)
            shown?.transition?.appearance = appearance
            shown?.handle.invalidateContents()
        } else if showsOwnPaintable, let still = shown?.still {
            put(.picture(still))
        }
    }

    /// The current content, where a later transition starts.
    func captureCurrent() -> ViewContent? {
        guard let paintable else { return nil }
        guard showsOwnPaintable, let shown else {
            return ViewContent(currentImageOf: PaintableHandle(retaining: paintable))
        }
        return shown.transition.map { $0.seen } ?? shown.still.flatMap { ViewContent($0) }
    }

    /// The end content of a transition that begins now.
    var currentEnd: RestingContent {
        guard let paintable else { return .nothing }
        guard showsOwnPaintable else { return .other(PaintableHandle(retaining: paintable)) }
        return shown?.still.map { .picture($0) } ?? .nothing
    }
}
