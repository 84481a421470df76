import WebImageCore

/// The way of a picture between its thumbnail and its page, in the coordinates of the browser.
package enum PictureFlight {
    /// The place of a picture: all of it, and the part that is seen.
    package struct Place: Sendable, Equatable {
        /// The whole picture; views that cut pictures show a part of it.
        package var frame: PointRect
        /// The part that is drawn.
        package var clip: PointRect
        /// The radius of the corners of ``clip``, in points.
        package var cornerRadius: Double

        package init(frame: PointRect, clip: PointRect, cornerRadius: Double = 0) {
            self.frame = frame
            self.clip = clip
            self.cornerRadius = cornerRadius
        }

        /// The place of another picture of the same subject that shows the same part: it covers the frame, a vertical long
        /// one from its top on, because a thumbnail of one shows that. A thumbnail may be cut to other proportions.
        package func covered(by picture: PointSize, longPictureRatio: Double) -> Place {
            guard !picture.isEmpty, !frame.size.isEmpty else { return self }
            let scale = max(frame.size.width / picture.width, frame.size.height / picture.height)
            let size = PointSize(width: picture.width * scale, height: picture.height * scale)
            let isFromTop = LongPicture(picture, ratio: longPictureRatio) == .vertical
            var place = self
            place.frame = PointRect(
                x: frame.x + (frame.size.width - size.width) / 2,
                y: isFromTop ? frame.y : frame.y + (frame.size.height - size.height) / 2, size: size)
            return place
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
