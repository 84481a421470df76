/// How a picture is laid into a view of other proportions. The names are those of CSS's `object-fit`.
public enum ContentFit: Sendable, Hashable {
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
    package func frame(of content: PointSize, in container: PointSize) -> PointRect {
        guard self != .fill, !content.isEmpty, !container.isEmpty else {
            return PointRect(x: 0, y: 0, size: container)
        }
        let size = fitted(content, in: container)
        // GtkPicture rounds in this way. An old picture that is drawn by us must not jump by a pixel.
        let x = ((container.width - size.width.rounded(.up)) / 2).rounded(.towardZero)
        let y = ((container.height - size.height.rounded(.up)).rounded(.down) / 2).rounded(.towardZero)
        return PointRect(x: x, y: y, size: size)
    }

    private func fitted(_ content: PointSize, in container: PointSize) -> PointSize {
        let horizontal = container.width / content.width
        let vertical = container.height / content.height
        let factor =
            switch self {
            case .cover: max(horizontal, vertical)
            case .scaleDown: min(1, min(horizontal, vertical))
            case .contain, .fill: min(horizontal, vertical)
            }
        return PointSize(width: content.width * factor, height: content.height * factor)
    }
}
