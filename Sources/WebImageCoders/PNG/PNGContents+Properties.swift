import WebImageCore
import WebImagePixels

extension PNGContents {
    var orientation: ImageOrientation { exif.map(EXIFOrientation.parse) ?? .up }

    /// The colours; nil for sRGB.
    var resolvedColors: SourceColors? {
        let areGray = header.isGray
        let colors = colors.resolved(profile: colorProfile?.forPixels(areGray: areGray))
        if case .coded(let coded) = colors { return .coded(coded.forPixels(areGray: areGray)) }
        return colors
    }

    var colorProfile: ColorProfile? { iccProfile.map { ColorProfile(bytes: $0) } }

    /// The number of plays; a still picture has 0.
    var loopCount: Int { frameCount > 1 ? animation?.playCount ?? 0 : 0 }

    var properties: ImageProperties {
        ImageProperties(
            format: .png, pixelSize: orientation.apply(to: header.size), orientation: orientation,
            frameCount: frameCount, loopCount: loopCount,
            frameDurations: frameCount > 1 ? frameDurations.prefix(frameCount).map { .milliseconds($0) } : [],
            hasAlpha: hasAlpha, bitsPerChannel: header.bitsPerChannel,
            iccProfileName: colorProfile?.name ?? embeddedProfileName)
    }
}
