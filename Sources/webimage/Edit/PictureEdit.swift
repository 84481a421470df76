import WebImage
import WebImageCommandLine

/// A change of a picture's pixels, as it was asked for.
struct PictureEdit: Sendable {
    enum Work: Sendable {
        case resize(PixelSize)
        /// Degrees, counter-clockwise.
        case rotate(Double)
        case overlay(OverlayOption)
        case transform(any ImageTransformer)
    }

    /// The option as typed, for a message.
    let option: String
    let work: Work
}
