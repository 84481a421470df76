import FoundationEssentials
import WebImage

/// The content of a HEIF file's boxes about its primary picture.
struct HEIFHeader: Sendable {
    let format: ImageFormat
    let geometry: ItemGeometry
    let bitsPerChannel: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let profile: ColorProfile?
    /// Whether it is gray, or the file does not say that it has colours.
    let isGray: Bool
    /// The coded colours, where there is no profile; nil for sRGB.
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
