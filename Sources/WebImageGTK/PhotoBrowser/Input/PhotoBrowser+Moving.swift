import WebImage

/// Moves the current picture as a person does: for measurements.
extension PhotoBrowser {
    /// - Parameters:
    ///   - scale: Points per point of the picture.
    ///   - x: The point of the view that stays in its place.
    package func zoom(to scale: Double, atX x: Double, y: Double) {
        guard let page = deck.current, page.hasPicture else { return }
        var goal = page.zoom
        goal.zoom(to: scale, atX: x, y: y)
        page.setZoom(goal)
        deck.sharpen()
    }

    package func pan(byX x: Double, y: Double) {
        guard let page = deck.current else { return }
        var goal = page.zoom
        goal.pan(byX: x, y: y)
        page.setZoom(goal)
    }
}
