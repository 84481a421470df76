import FoundationEssentials
import WebImage

/// What the boxes of an AVIF file say; pixels are not decoded yet.
struct AVIFHeader: Sendable {
    let geometry: ItemGeometry
    let bitsPerChannel: Int
    let hasAlpha: Bool
    let iccProfile: Data?
    /// By numbers, where there is no profile; nil for sRGB.
    let colors: CodedColors?
    /// Milliseconds; one number for a still picture.
    let frameDurations: [Int]
    /// How often a sequence plays, 0 for ever.
    let playCount: Int
    /// Whether the file is read from a copy that was mended, for every frame the same.
    var isMended = false

    var isAnimated: Bool { frameDurations.count > 1 }
    var loopCount: Int { isAnimated ? playCount : 0 }

    /// What becomes of the picture under `options`.
    func geometry(_ options: ImageDecodeOptions) -> ThumbnailGeometry {
        geometry.thumbnail(frameCount: frameDurations.count, options)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: .avif, pixelSize: geometry.seenSize,
            orientation: geometry.orientation, frameCount: frameDurations.count, loopCount: loopCount,
            frameDurations: isAnimated ? frameDurations : [], hasAlpha: hasAlpha, bitsPerChannel: bitsPerChannel,
            iccProfileName: iccProfile.flatMap { ColorProfile(bytes: $0).name })
    }
}
