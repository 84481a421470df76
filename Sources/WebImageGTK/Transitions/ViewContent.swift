import WebImage

/// The content of a view at one moment, at either end of a transition.
struct ViewContent {
    let picture: TransitionPicture
    /// The size that the view lays it out by, in points; zero fills the view.
    let intrinsicSize: PointSize
    /// Whether it is a frame of a transition.
    let isTransition: Bool
    /// Whether drawing it in each frame costs more than two pictures.
    private let isDear: Bool
    /// Its frame in the view; nil for the frame that the view lays it out in.
    private var place: PointRect?
    /// The way it fits into the view; nil for the view's own way.
    let fit: ContentFit?

    /// nil for a released picture.
    init?(_ still: StillContent) {
        guard let picture = still.transitionPicture else { return nil }
        self.picture = picture
        fit = still.fit
        // GtkPicture's layout uses whole numbers.
        intrinsicSize = PointSize(
            width: still.intrinsicSize.width.rounded(), height: still.intrinsicSize.height.rounded())
        isTransition = false
        isDear = false
    }

    /// The current content of a paintable of the app's.
    init(currentImageOf paintable: PaintableHandle) {
        picture = TransitionPicture(PaintableHandle(currentImageOf: paintable.pointer))
        intrinsicSize = paintable.intrinsicSize
        // It gets all of the view's room.
        fit = paintable.aspectRatio == 0 ? .fill : nil
        isTransition = false
        isDear = false
    }

    /// The current frame of a transition.
    init(_ transition: TransitionContent) {
        picture = TransitionPicture(PaintableHandle(transition.capturedView()))
        intrinsicSize = PointSize(width: 0, height: 0)
        fit = nil
        isTransition = true
        isDear = transition.isDear
    }

    /// Its frame in a view.
    func frame(in viewport: Viewport) -> PointRect {
        place ?? (fit ?? viewport.fit).frame(of: intrinsicSize, in: viewport.size)
    }

    /// Renders content that is too expensive to draw in each frame, so that transitions that keep interrupting each
    /// other cost no more than one.
    ///
    /// - Parameter visible: The visible part of a view that has too many pixels; nil for all of it.
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
