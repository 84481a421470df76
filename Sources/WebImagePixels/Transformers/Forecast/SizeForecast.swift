import WebImageCore

/// The size of a transformer's result, as far as it is known before any work.
package enum SizeForecast: Sendable, Hashable {
    /// Why there is no result.
    package enum Obstacle: Sendable, Hashable {
        /// Nothing of the picture lies in the part that is kept.
        case nothingLeft
        /// The result has more pixels than the default ``ImageLimits/maximumPixelCount``.
        case tooLarge
        /// A number is infinite, NaN, or negative where that means nothing.
        case invalidNumber
    }

    case size(PixelSize)
    /// The size depends on the pixels, or on code of the app.
    case unknown
    case impossible(Obstacle)

    var isImpossible: Bool { if case .impossible = self { true } else { false } }
}
