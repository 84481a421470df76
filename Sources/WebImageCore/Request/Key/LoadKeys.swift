import FoundationEssentials

/// The names of one load's picture at its stations.
package struct LoadKeys {
    /// The file as it comes from the loader.
    package let original: CacheKey
    // Each is nil where it is the one above it: most pictures have one name.
    private let thumbnail: CacheKey?
    private let transformed: CacheKey?
    private let variant: CacheKey?
    /// The finished pixels of an animation that the load wants held in another way than usual; nil when it wants no such
    /// thing.
    package let animation: CacheKey?
    /// How the decoded pixels differ from the usual ones of their name; empty for the usual ones.
    package let pixels: String
    /// Whether the finished picture's file, if it is another one than the original, has the usual pixels.
    package let hasUsualPixels: Bool

    /// The decoded picture: a thumbnail's name differs from its original's.
    package var decoded: CacheKey { thumbnail ?? original }
    /// The finished picture: that of a transformed one differs from the decoded one's.
    package var result: CacheKey { transformed ?? decoded }
    /// The finished pixels in memory, where decode options that leave the file alone count as well.
    package var memory: CacheKey { variant ?? result }

    /// Whether the decoded picture is another one than the file's own.
    package var isThumbnail: Bool { thumbnail != nil }
    /// Whether the finished picture is.
    package var isDerived: Bool { transformed != nil || isThumbnail }
    /// The names of the files that a load reads and writes, each once.
    package var files: [CacheKey] { isDerived ? [original, result] : [original] }

    /// Of a load that leaves the file and its pixels as they are.
    package init(onlyOf original: CacheKey) {
        self.original = original
        (thumbnail, transformed, variant, animation) = (nil, nil, nil, nil)
        pixels = ""
        hasUsualPixels = true
    }

    package init(
        original: CacheKey, options: ImageDecodeOptions, transformerKey: String?, animatedClass: (any Sendable.Type)?
    ) {
        self.original = original
        thumbnail = options.thumbnailPixelSize.flatMap { size in
            size.isEmpty
                ? nil
                : original.thumbnail(
                    size, preservesAspectRatio: options.preservesAspectRatio, covers: options.coversThumbnailBox)
        }
        transformed = transformerKey.map { [thumbnail] in (thumbnail ?? original).transformed($0) }
        let pixelVariant = options.pixelVariant
        hasUsualPixels = pixelVariant == nil
        let scale = options.scaleFactor.flatMap { $0 == original.scaleFactor ? nil : " scale \($0)" }
        let differences = scale.map { (pixelVariant ?? "") + $0 } ?? pixelVariant
        let result = transformed ?? thumbnail ?? original
        variant = differences.map(result.variant)
        let holding = options.decodesFirstFrameOnly ? "first frame" : animatedClass.map { String(reflecting: $0) }
        animation = holding.map { [variant] in (variant ?? result).variant($0) }
        pixels = holding.map { (differences ?? "") + $0 } ?? differences ?? ""
    }
}

extension ImageDecodeOptions {
    /// Distinguishes pixels that were decoded from the same file with other options; nil for the default options.
    fileprivate var pixelVariant: String? {
        var parts: [String] = []
        if !appliesOrientation { parts.append("stored") }
        if !convertsToSRGB { parts.append("raw colours") }
        if pixelFormat != .rgba8Premultiplied { parts.append("\(pixelFormat)") }
        if decodesPreview { parts.append("preview") }
        if pageIndex != 0 { parts.append("page \(pageIndex)") }
        if decodesToHDR { parts.append("HDR") }
        if decodesToWideGamut { parts.append("wide gamut") }
        if countsPlaysOfGIF { parts.append("plays") }
        if let scaleDownLimitBytes { parts.append("within \(scaleDownLimitBytes)") }
        if let customVariant { parts.append(customVariant) }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
