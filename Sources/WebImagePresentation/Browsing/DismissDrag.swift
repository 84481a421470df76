import WebImageCore

/// A drag up or down that closes a browser: the picture follows the finger and becomes smaller, and the ground clears.
package struct DismissDrag: Sendable, Equatable {
    /// The movement so far, in points.
    package var x = 0.0
    package var y = 0.0
    /// The height of the browser, in points.
    package let height: Double

    package init(height: Double) { self.height = max(1, height) }

    private var part: Double { min(1, abs(y) / height) }

    /// The opacity of the ground.
    package var groundOpacity: Double { max(0, 1 - 1.5 * part) }
    package var scale: Double { 1 - 0.4 * part }

    /// Whether the browser closes when the finger lets go now.
    ///
    /// - Parameter velocity: Of the finger downwards, in points a second.
    package func closes(velocity: Double) -> Bool {
        // A finger that returns has changed its mind.
        guard velocity * y >= 0 || abs(velocity) < 100 else { return false }
        return part > 0.15 || (abs(velocity) > 500 && abs(y) > 10)
    }

    /// The place of the picture during the drag.
    package func place(of place: PictureFlight.Place) -> PictureFlight.Place {
        PictureFlight.Place(
            frame: moved(place.frame, about: place.clip), clip: moved(place.clip, about: place.clip),
            cornerRadius: place.cornerRadius)
    }

    private func moved(_ rect: PointRect, about middle: PointRect) -> PointRect {
        let (centreX, centreY) = (middle.x + middle.size.width / 2, middle.y + middle.size.height / 2)
        return PointRect(
            x: centreX + (rect.x - centreX) * scale + x, y: centreY + (rect.y - centreY) * scale + y,
            width: rect.size.width * scale, height: rect.size.height * scale)
    }
}
