import CPixels
import WebImageCore

/// An operation on pixels that looks at one pixel at a time, so that neighbouring ones run as one pass.
enum ColorStep: Sendable, Hashable {
    case matrix(ColorMatrix)
    case curve(ToneCurve)
    case lookupTable(ColorLookupTable)
    case vibrance(Float)
    case vignette(inner: Float, intensity: Float)
    /// A colour over all pixels.
    case tint(RGBAColor, BlendMode)

    /// The kind of alpha that the step needs.
    var alpha: NeededAlpha {
        switch self {
        case .matrix, .curve, .lookupTable, .vibrance: .straight
        case .vignette: .any
        case .tint: .premultiplied
        }
    }

    /// Whether opaque pixels stay opaque.
    var keepsOpacity: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsAlpha
        case .curve, .lookupTable, .vibrance, .vignette: true
        case .tint(let color, let mode): mode.keepsOpacity(under: color)
        }
    }

    /// The step for bitmaps of a colour space.
    func matching(_ colorSpace: ColorSpace) -> ColorStep {
        guard case .tint(let color, let mode) = self else { return self }
        return .tint(color.numbers(in: colorSpace), mode)
    }

    enum NeededAlpha { case any, straight, premultiplied }
}
