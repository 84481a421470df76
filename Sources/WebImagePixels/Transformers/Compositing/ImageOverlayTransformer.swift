import WebImageCore

/// Draws a picture over pictures; see ``Image/overlaid(with:at:opacity:mode:)``.
package struct ImageOverlayTransformer: LibraryTransformer {
    private let overlay: Image
    private let placement: OverlayPlacement
    private let opacity: Double
    private let mode: BlendMode
    /// `ImageOverlayTransformer(32x32,4af0…,{1.000000,1.000000},{0.000000,0.000000},0.500000,0)`: with a checksum of the
    /// overlay's pixels, followed by `,displayP3` for pixels in Display P3.
    package let transformerKey: String

    /// A transformer that draws `overlay` over pictures. Takes a checksum of its pixels.
    package init(_ overlay: Image, at placement: OverlayPlacement, opacity: Double, mode: BlendMode) {
        self.overlay = overlay
        self.placement = placement
        self.opacity = opacity
        self.mode = mode
        let (size, anchor, offset) = (overlay.pixelSize, placement.anchor, placement.offset)
        let checksum = overlay.bitmap.withUnsafeBytes { XXH3.checksum(of: RawSpan(_unsafeBytes: $0)) }
        let places = [[anchor.x, anchor.y], [offset.width, offset.height]].map { place in
            "{\(place.map(\.fixedPointText).joined(separator: ","))}"
        }
        let numbers = places + [opacity.fixedPointText, String(mode.number)]
        let colors = overlay.bitmap.colorSpace == .displayP3 ? ",displayP3" : ""
        let picture = "\(size.width)x\(size.height),\(String(checksum, radix: 16))\(colors)"
        transformerKey = "ImageOverlayTransformer(\(picture),\(numbers.joined(separator: ",")))"
    }

    /// The picture with the overlay; nil when a number is infinite or NaN.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.overlaid(with: overlay, at: placement, opacity: opacity, mode: mode)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Draws a picture over pictures, such as a logo or a watermark.
    ///
    /// ```swift
    /// context.transformer = .overlay(logo, at: .bottomRight, opacity: 0.6)
    /// ```
    public static func overlay(
        _ overlay: Image, at placement: OverlayPlacement = .center, opacity: Double = 1, mode: BlendMode = .normal
    ) -> BuiltInTransformer {
        BuiltInTransformer(ImageOverlayTransformer(overlay, at: placement, opacity: opacity, mode: mode))
    }
}
