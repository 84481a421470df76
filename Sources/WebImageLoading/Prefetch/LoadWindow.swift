/// The part of a list around its visible part whose pictures are loaded, in screens; all other pictures wait until they
/// come near.
public struct LoadWindow: Sendable, Equatable {
    /// The number of screens against the direction of scrolling; 0 before the first scroll. Default 1.
    public let behind: Double
    /// The number of screens in the direction of scrolling; forwards before the first scroll. Default 2.
    public let ahead: Double

    /// A window of that size; a negative number or NaN counts as 0.
    public init(behind: Double = 1, ahead: Double = 2) {
        (self.behind, self.ahead) = (max(0, behind), max(0, ahead))
    }

    /// The whole list, as far as its cells exist.
    public static let everything = LoadWindow(behind: .infinity, ahead: .infinity)

    /// Whether to load a picture.
    ///
    /// - Parameters:
    ///   - distance: Screens from the visible part: negative before it, 0 within it.
    ///   - direction: The direction of the latest scroll; nil before the first one.
    package func contains(_ distance: Double, scrolling direction: ScrollDirection?) -> Bool {
        switch direction {
        case _ where distance == 0: true
        case nil: distance > 0 ? distance <= ahead : behind == .infinity
        case .forwards: distance > 0 ? distance <= ahead : -distance <= behind
        case .backwards: distance < 0 ? -distance <= ahead : distance <= behind
        }
    }
}

/// The direction in which a list is scrolled.
package enum ScrollDirection: Sendable, Hashable {
    /// Towards its end.
    case forwards
    case backwards
}
