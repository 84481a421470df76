import WebImageCore

/// The way a picture is fitted to a view of other proportions. The names are those of CSS's `object-fit`.
public enum ContentFit: Sendable, Hashable {
    /// Stretched to the view's size.
    case fill
    /// As large as possible without cropping.
    case contain
    /// As small as possible without a margin; the overhang is cropped.
    case cover
    /// Like `contain`, but never enlarged.
    case scaleDown

    /// The frame of a picture of `content` size in a view of `container` size; with negative coordinates where it
    /// overhangs.
    ///
    /// A picture without an intrinsic size fills the view.
    package func frame(of content: PointSize, in container: PointSize) -> PointRect {
        guard self != .fill, !content.isEmpty, !container.isEmpty else {
            return PointRect(x: 0, y: 0, size: container)
        }
        let size = fitted(content, in: container)
        // The same rounding as in GtkPicture: an old picture that this library draws must not jump by a pixel.
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
