import FoundationEssentials

/// The names of one load's picture at its stations.
struct LoadKeys {
    /// The file as it comes from the loader.
    let original: CacheKey
    /// The decoded picture: a thumbnail's name differs from its original's.
    let decoded: CacheKey
    /// The finished picture: that of a transformed one differs from the decoded one's.
    let result: CacheKey
    /// The finished pixels in memory, where decode options that leave the file alone count as well.
    let memory: CacheKey
    /// The finished pixels of an animation that the load wants held in another way than usual; nil when it wants no such
    /// thing.
    let animation: CacheKey?
    /// How the decoded pixels differ from the usual ones of their name; empty for the usual ones.
    let pixels: String
    /// Whether the finished picture's file, if it is another one than the original, has the usual pixels.
    let hasUsualPixels: Bool

    init(original: CacheKey, options: ImageDecodeOptions, transformerKey: String?, animatedClass: (any Sendable.Type)?)
    {
        self.original = original
        if let size = options.thumbnailPixelSize, !size.isEmpty {
            decoded = original.thumbnail(
                size, preservesAspectRatio: options.preservesAspectRatio, covers: options.coversThumbnailBox)
        } else {
            decoded = original
        }
        result = transformerKey.map(decoded.transformed) ?? decoded
        let variant = options.pixelVariant ?? ""
        hasUsualPixels = variant.isEmpty
        let scale = options.scaleFactor == original.scaleFactor ? "" : " scale \(options.scaleFactor)"
        memory = variant.isEmpty && scale.isEmpty ? result : result.variant(variant + scale)
        let holding = options.decodesFirstFrameOnly ? "first frame" : animatedClass.map { String(reflecting: $0) }
        animation = holding.map(memory.variant)
        pixels = variant + scale + (holding ?? "")
    }
}

extension ImageDecodeOptions {
    /// Tells apart pixels that the same file decodes to under other options; nil for the usual ones.
    fileprivate var pixelVariant: String? {
        var parts: [String] = []
        if !appliesOrientation { parts.append("stored") }
        if !convertsToSRGB { parts.append("raw colours") }
        if pixelFormat != .rgba8Premultiplied { parts.append("\(pixelFormat)") }
        if decodesPreview { parts.append("preview") }
        if pageIndex != 0 { parts.append("page \(pageIndex)") }
        if decodesToHDR { parts.append("HDR") }
        if scaleDownLimitBytes > 0 { parts.append("within \(scaleDownLimitBytes)") }
        if let customVariant { parts.append(customVariant) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
