import WebImageCore

/// Whether a picture is so long that fitting all of it into a view would leave a thread.
public enum LongPicture: Sendable, Hashable {
    /// As high as several screens: read from its top, as wide as the view.
    case vertical
    /// As wide as several screens.
    case horizontal

    /// The side ratio from which a picture is long, unless a browser sets another: 3.
    public static let defaultRatio = 3.0

    /// nil for a picture that is not long, or has no area.
    ///
    /// - Parameter ratio: The longer side by the shorter one, from which a picture is long.
    public init?(_ size: PointSize, ratio: Double = defaultRatio) {
        guard !size.isEmpty, ratio > 0 else { return nil }
        if size.height > ratio * size.width {
            self = .vertical
        } else if size.width > ratio * size.height {
            self = .horizontal
        } else {
            return nil
        }
    }
}
