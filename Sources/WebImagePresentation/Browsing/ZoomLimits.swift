import WebImageCore

/// How far a picture can be zoomed in a view: factors from its size in points to the size on the screen.
package struct ZoomLimits: Sendable, Equatable {
    /// All of the picture is visible. Never above 1: small pictures are not enlarged.
    package private(set) var minimum = 0.0
    package private(set) var maximum = 0.0
    /// The factor that the picture has at first.
    package private(set) var initial = 0.0

    /// Nothing is shown, and nothing can be zoomed.
    package init() {}

    /// The rules of a browser.
    package struct Rules: Sendable, Equatable {
        /// Whether a picture whose proportions are nearly those of the view covers it at first.
        package var zoomsPhotosToFill = true
        package var longPictureRatio = LongPicture.defaultRatio

        package init() {}
    }

    /// The difference of two proportions (width by height) that counts as nearly the same.
    private static let almostSame = 0.17
    /// The shorter side of a view, in points, from which it counts as large.
    private static let largeView = 768.0

    /// - Parameters:
    ///   - picture: The size of the picture, in points.
    ///   - isFixed: Whether it cannot be zoomed, as a video.
    package init(of picture: PointSize, in view: PointSize, isFixed: Bool = false, rules: Rules = Rules()) {
        guard !picture.isEmpty, !view.isEmpty else { return }
        let (across, down) = (view.width / picture.width, view.height / picture.height)
        minimum = min(across, down, 1)
        maximum = max(min(view.width, view.height) < Self.largeView ? 3 : 4, minimum)
        initial = minimum
        if isFixed {
            maximum = minimum
        } else if LongPicture(picture, ratio: rules.longPictureRatio) == .vertical {
            // However narrow the picture is, its text fills the view.
            initial = max(minimum, across)
            maximum = max(maximum, initial)
        } else if rules.zoomsPhotosToFill,
            abs(view.width / view.height - picture.width / picture.height) < Self.almostSame
        {
            initial = min(max(across, down, minimum), maximum)
        }
    }

    package func clamped(_ scale: Double) -> Double { max(minimum, min(maximum, scale)) }
}
