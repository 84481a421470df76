import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// The content of an AVIF file's boxes; pixels are not decoded.
struct AVIFHeader: Sendable {
    let geometry: ItemGeometry
    let bitsPerChannel: Int
    let hasAlpha: Bool
    let iccProfile: Data?
    /// The coded colours, where there is no profile; nil for sRGB.
    let colors: CodedColors?
    /// In milliseconds; one element for a still picture.
    let frameDurations: [Int]
    /// The number of plays of a sequence, 0 for endless.
    let playCount: Int
    /// Whether a repaired copy is read, which then serves all frames.
    var isMended = false

    var isAnimated: Bool { frameDurations.count > 1 }
    var loopCount: Int { isAnimated ? playCount : 0 }

    /// The geometry of the result under `options`.
    func geometry(_ options: ImageDecodeOptions) -> ThumbnailGeometry {
        geometry.thumbnail(frameCount: frameDurations.count, options)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: .avif, pixelSize: geometry.seenSize,
            orientation: geometry.orientation, frameCount: frameDurations.count, loopCount: loopCount,
            frameDurations: isAnimated ? frameDurations.map { .milliseconds($0) } : [], hasAlpha: hasAlpha,
            bitsPerChannel: bitsPerChannel,
            iccProfileName: iccProfile.flatMap { ColorProfile(bytes: $0).name })
    }
}
