import FoundationEssentials
import WebImage

/// What the boxes of a HEIF file say of its primary picture.
struct HEIFHeader: Sendable {
    let format: ImageFormat
    let geometry: ItemGeometry
    let bitsPerChannel: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let profile: ColorProfile?
    /// Whether it has no colours, or does not say whether it has any.
    let isGray: Bool
    /// By numbers, where there is no profile; nil for sRGB.
    let colors: CodedColors?

    func depth(_ options: ImageDecodeOptions) -> PixelDepth {
        options.depth(bitsPerChannel: bitsPerChannel, needsDepth: colors != nil || profile != nil)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: format, pixelSize: geometry.seenSize,
            orientation: geometry.orientation, hasAlpha: hasAlpha, bitsPerChannel: bitsPerChannel,
            iccProfileName: profile?.name)
    }
}
