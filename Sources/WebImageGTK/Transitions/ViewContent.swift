import WebImage

/// What a view shows at one moment, for a transition to lead from or to.
struct ViewContent {
    let picture: TransitionPicture
    /// The size by which the view lays it out, in points; zero fills the view.
    let intrinsicSize: PointSize
    /// Whether it is what was seen of a transition.
    let isTransition: Bool
    /// Whether drawing it in each frame costs more than a picture or two.
    private let isDear: Bool
    /// Where it lies in the view; nil for where the view lays it out.
    private var place: PointRect?

    /// nil for a picture that was let go.
    init?(_ still: StillContent) {
        guard let picture = still.transitionPicture else { return nil }
        self.picture = picture
        // GtkPicture lays out by whole numbers.
        intrinsicSize = PointSize(
            width: still.intrinsicSize.width.rounded(), height: still.intrinsicSize.height.rounded())
        isTransition = false
        isDear = false
    }

    /// What another paintable than ours shows now.
    init(currentImageOf paintable: PaintableHandle) {
        picture = TransitionPicture(PaintableHandle(currentImageOf: paintable.pointer))
        intrinsicSize = paintable.intrinsicSize
        isTransition = false
        isDear = false
    }

    /// All that is seen of a transition at this moment.
    init(_ transition: TransitionContent) {
        picture = TransitionPicture(PaintableHandle(transition.capturedView()))
        intrinsicSize = PointSize(width: 0, height: 0)
        isTransition = true
        isDear = transition.isDear
    }

    /// Where it lies in a view.
    func frame(in viewport: Viewport) -> PointRect {
        place ?? viewport.fit.frame(of: intrinsicSize, in: viewport.size)
    }

    /// Brings to pixels what would cost too much in each frame, so that transitions that interrupt each other without end
    /// cost no more than one.
    ///
    /// - Parameter visible: What is seen of a view that has too many pixels; nil for all of it.
    func simplified(in viewport: Viewport, visible: PointRect?) -> ViewContent {
        guard isDear else { return self }
        var content = self
        let frame = frame(in: viewport)
        let part = visible.map { frame.intersection($0) ?? PointRect(x: frame.x, y: frame.y, width: 1, height: 1) }
        picture.flatten(part ?? frame, of: frame, scale: viewport.scale)
        content.place = part
        return content
    }
}
