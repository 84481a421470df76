import WebImageCore

/// A page with one content of a transition that moves in space: it turns, rolls up or grows, in front of the other
/// content or of nothing.
///
/// Only the library's effects make such pages. A renderer computes each of their pixels from the exact projection, so
/// that a page has neither seams nor steps.
public struct MovingPage: Sendable, Equatable {
    enum Shape: Sendable, Equatable {
        case flip(PerspectiveFlip)
        case curl(PageCurl)
        case zoom(PageZoom)
    }

    var shape: Shape
    /// Whether the page has the new content, and the former one is behind it; otherwise the reverse.
    var isNew: Bool

    /// The content on the page.
    package var content: TransitionLayer.Content { isNew ? .new : .old }

    /// The content that lies at rest behind the page, visible only beside it; nil for none.
    package var background: TransitionLayer.Content? {
        if case .flip = shape { nil } else { isNew ? .old : .new }
    }

    /// Whether it is drawn in columns, from a transposed picture.
    package var needsTransposed: Bool {
        if case .flip(let flip) = shape { flip.axis == .horizontal } else { false }
    }

    var exchanged: MovingPage { MovingPage(shape: shape, isNew: !isNew) }

    /// The page in a view whose lengths are `factor` times as large.
    func scaled(by factor: Double) -> MovingPage {
        let scaled: Shape =
            switch shape {
            case .flip(let flip): .flip(flip.scaled(by: factor))
            case .curl(let curl): .curl(curl.scaled(by: factor))
            case .zoom(let zoom): .zoom(zoom.scaled(by: factor))
            }
        return MovingPage(shape: scaled, isNew: isNew)
    }
}

extension TransitionLayer {
    /// A page that moves in all of a view.
    init(_ shape: MovingPage.Shape, isNew: Bool, in scene: TransitionScene) {
        self.init(.page(MovingPage(shape: shape, isNew: isNew)), source: scene.bounds)
    }
}

extension PointRect {
    func scaled(by factor: Double) -> PointRect {
        PointRect(x: x * factor, y: y * factor, width: size.width * factor, height: size.height * factor)
    }
}
