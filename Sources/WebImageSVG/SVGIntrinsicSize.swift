import WebImageCore
import WebImagePixels

/// The size attributes of an SVG, and the size that follows by CSS's rules for replaced elements (CSS Images 3 §5.2,
/// SVG 2 §7.2).
struct SVGIntrinsicSize {
    /// In pixels; nil where it is a percentage or missing.
    var width, height: Double?
    var viewBox: (width: Double, height: Double)?

    /// CSS's size of a picture without a size and without proportions.
    private static let fallback = (width: 300.0, height: 150.0)

    /// The most that a last row or column is covered by if it is left out: units convert to 48.01 pixels for 48.
    private static let sliver = 0.05

    /// In whole pixels, rounded up so that nothing is clipped but a sliver; nil when a side is not a positive number.
    var pixelSize: PixelSize? {
        let size = size
        return PixelSize(drawing: size.width, size.height, sliver: Self.sliver)
    }

    /// In pixels, not rounded.
    var size: (width: Double, height: Double) {
        let proportions = viewBox.flatMap { $0.width > 0 && $0.height > 0 ? $0.width / $0.height : nil }
        switch (width, height, proportions) {
        case (let width?, let height?, _): return (width, height)
        case (let width?, nil, let ratio?): return (width, width / ratio)
        case (nil, let height?, let ratio?): return (height * ratio, height)
        case (let width?, nil, nil): return (width, Self.fallback.height)
        case (nil, let height?, nil): return (Self.fallback.width, height)
        // Browsers draw these at the available width; all tools take the size of the view box.
        case (nil, nil, _?): return viewBox ?? Self.fallback
        case (nil, nil, nil): return Self.fallback
        }
    }
}
