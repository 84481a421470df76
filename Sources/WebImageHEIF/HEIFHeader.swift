import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

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

    /// More than 8 bits are decoded as 16 and rounded: libheif would cut them off.
    var depth: PixelDepth { bitsPerChannel > 8 ? .sixteen : .eight }

    var properties: ImageProperties {
        ImageProperties(
            format: format, pixelSize: geometry.seenSize,
            orientation: geometry.orientation, hasAlpha: hasAlpha, bitsPerChannel: bitsPerChannel,
            iccProfileName: profile?.name)
    }
}
