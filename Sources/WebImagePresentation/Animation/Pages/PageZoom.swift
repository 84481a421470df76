import WebImageCore

/// A page that grows from the centre of a view.
struct PageZoom: Sendable, Equatable {
    let bounds: PointRect
    /// The page's size, in times of the view's; more than 0.
    let factor: Double

    /// The visible frame of the page.
    var frame: PointRect {
        let size = PointSize(width: bounds.size.width * factor, height: bounds.size.height * factor)
        return PointRect(
            x: bounds.x + (bounds.size.width - size.width) / 2, y: bounds.y + (bounds.size.height - size.height) / 2,
            size: size)
    }

    func scaled(by factor: Double) -> PageZoom { PageZoom(bounds: bounds.scaled(by: factor), factor: self.factor) }
}
