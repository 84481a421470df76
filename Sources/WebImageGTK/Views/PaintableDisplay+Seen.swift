import WebImage

/// What is seen at this moment: the picture and its appearance.
extension PaintableDisplay {
    /// The picture's alpha and transform, which an app's own paintables do not have. Seen at once, unless they are set
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

    /// What the widget shows at this moment, for a later transition to start from.
    func captureCurrent() -> ViewContent? {
        guard let paintable else { return nil }
        guard showsOwnPaintable, let shown else {
            return ViewContent(currentImageOf: PaintableHandle(retaining: paintable))
        }
        return shown.transition.map { $0.seen } ?? shown.still.flatMap { ViewContent($0) }
    }

    /// What a transition that begins now leads to.
    var currentEnd: RestingContent {
        guard let paintable else { return .nothing }
        guard showsOwnPaintable else { return .other(PaintableHandle(retaining: paintable)) }
        return shown?.still.map { .picture($0) } ?? .nothing
    }
}
