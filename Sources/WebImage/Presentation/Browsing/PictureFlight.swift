/// The way of a picture between its thumbnail and its page, in the coordinates of the browser.
package enum PictureFlight {
    /// Where a picture is: all of it, and the part that is seen.
    package struct Place: Sendable, Equatable {
        /// The whole picture; views that cut pictures show a part of it.
        package var frame: PointRect
        /// What lies outside is not drawn.
        package var clip: PointRect
        /// The radius of the corners of ``clip``, in points.
        package var cornerRadius: Double

        package init(frame: PointRect, clip: PointRect, cornerRadius: Double = 0) {
            self.frame = frame
            self.clip = clip
            self.cornerRadius = cornerRadius
        }

        package func mixed(with other: Place, _ progress: Double) -> Place {
            Place(
                frame: frame.mixed(with: other.frame, progress), clip: clip.mixed(with: other.clip, progress),
                cornerRadius: cornerRadius.mixed(with: other.cornerRadius, progress))
        }
    }

    /// The time of a whole flight, in seconds.
    package static let duration = 0.25
    package static let timing = TimingFunction.easeInEaseOut
}

extension PointRect {
    package func mixed(with other: PointRect, _ progress: Double) -> PointRect {
        PointRect(
            x: x.mixed(with: other.x, progress), y: y.mixed(with: other.y, progress),
            width: size.width.mixed(with: other.size.width, progress),
            height: size.height.mixed(with: other.size.height, progress))
    }
}
