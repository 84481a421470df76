/// How a picture is laid into a view of other proportions. The names are those of CSS's `object-fit`.
package enum ContentFit: Sendable, Hashable {
    /// Stretched to the view's size.
    case fill
    /// As large as possible with nothing cut off.
    case contain
    /// As small as possible with nothing left empty; what hangs over is cut off.
    case cover
    /// Like `contain`, but never enlarged.
    case scaleDown

    /// Where a picture of `content` size lies in a view of `container` size; negative where it hangs over.
    ///
    /// A picture without a size of its own fills the view.
    package func frame(of content: ViewSize, in container: ViewSize) -> ViewFrame {
        guard self != .fill, !content.isEmpty, !container.isEmpty else {
            return ViewFrame(x: 0, y: 0, size: container)
        }
        let size = fitted(content, in: container)
        // GtkPicture rounds in this way. An old picture that is drawn by us must not jump by a pixel.
        let x = ((container.width - size.width.rounded(.up)) / 2).rounded(.towardZero)
        let y = ((container.height - size.height.rounded(.up)).rounded(.down) / 2).rounded(.towardZero)
        return ViewFrame(x: x, y: y, size: size)
    }

    private func fitted(_ content: ViewSize, in container: ViewSize) -> ViewSize {
        let horizontal = container.width / content.width
        let vertical = container.height / content.height
        let factor =
            switch self {
            case .cover: max(horizontal, vertical)
            case .scaleDown: min(1, min(horizontal, vertical))
            case .contain, .fill: min(horizontal, vertical)
            }
        return ViewSize(width: content.width * factor, height: content.height * factor)
    }
}

/// A width and a height in a view's own units, which are pixels divided by the scale factor.
package struct ViewSize: Sendable, Hashable {
    /// Units from left to right.
    package var width: Double
    /// Units from top to bottom.
    package var height: Double

    /// A size of `width` × `height` units.
    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// True when nothing of this size could be seen.
    package var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// A rectangle in a view's own units.
package struct ViewFrame: Sendable, Hashable {
    /// Units from the view's left edge.
    package var x: Double
    /// Units from the view's top edge.
    package var y: Double
    /// How large it is.
    package var size: ViewSize

    /// A rectangle at (`x`, `y`).
    package init(x: Double, y: Double, size: ViewSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// Whether `other` lies within this rectangle, edges included.
    package func contains(_ other: ViewFrame) -> Bool {
        // Half a unit of slack: the two were rounded apart.
        other.x >= x - 0.5 && other.y >= y - 0.5
            && other.x + other.size.width <= x + size.width + 0.5
            && other.y + other.size.height <= y + size.height + 0.5
    }
}
