import Glibc

/// The filter that makes a pixel of a resized picture from the pixels around its place. When a picture is reduced, the
/// filter is widened by the ratio, so that no pixel is skipped.
public enum ResamplingFilter: Sendable, Hashable, CaseIterable {
    /// The mean of the covered area: the fastest. An enlarged picture shows its pixels as squares.
    case box
    /// A triangle: linear interpolation where a picture is enlarged.
    case bilinear
    /// The cubic filter of Mitchell and Netravali (B = C = ⅓): smooth, without visible overshoot.
    case mitchell
    /// A sinc in a window of three lobes: the sharpest.
    case lanczos3
}

extension ResamplingFilter {
    /// The distance from the centre where the filter ends, in pixels of the smaller picture.
    package var support: Double {
        switch self {
        case .box: 0.5
        case .bilinear: 1
        case .mitchell: 2
        case .lanczos3: 3
        }
    }

    /// The weight of a pixel.
    ///
    /// - Parameters:
    ///   - distance: The distance of the pixel's centre from the result's, in pixels of the smaller picture.
    ///   - length: The pixel's length in these pixels. Only the box needs it, whose edges cut pixels.
    package func weight(at distance: Double, length: Double) -> Double {
        switch self {
        case .box: max(0, min(0.5, distance + length / 2) - max(-0.5, distance - length / 2))
        case .bilinear: max(0, 1 - abs(distance))
        case .mitchell: Self.mitchell(abs(distance))
        case .lanczos3: Self.lanczos(distance)
        }
    }

    /// D. P. Mitchell, A. N. Netravali: Reconstruction filters in computer graphics, 1988.
    private static func mitchell(_ x: Double) -> Double {
        if x < 1 { return ((7 * x - 12) * x * x + 16 / 3) / 6 }
        return x < 2 ? (((-7 / 3 * x + 12) * x - 20) * x + 32 / 3) / 6 : 0
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        return sinc(x) * sinc(x / 3)
    }

    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

    /// The name in keys and on the command line.
    package var name: String {
        switch self {
        case .box: "box"
        case .bilinear: "bilinear"
        case .mitchell: "mitchell"
        case .lanczos3: "lanczos3"
        }
    }
}
