import FoundationEssentials

extension LoadPlan {
    /// What the transformer needs of the picture of an original file, where the decode can make it without the whole picture; nil where
    /// it cannot, or where the whole picture is needed for something else.
    func region(of data: Data) -> DecodeRegion? {
        guard needsRegionOnly,
            let transformer = transformer as? any RegionTransformer,
            let properties = try? coder.properties(of: data, isComplete: true),
            Self.rowFormats.contains(properties.format), properties.frameCount == 1,
            properties.pixelSize.area >= Self.leastPixelCount
        else { return nil }
        return transformer.region(of: properties.pixelSize, scale: decodeOptions.scaleFactor ?? 1)
    }

    /// Smaller pictures take little memory, and two loads of one share its decode.
    private static let leastPixelCount = 1 << 20
    /// Formats whose decoders deliver rows of one picture.
    private static let rowFormats: [ImageFormat] = [.jpeg, .png, .webP, .bmp, .tiff, .avif, .heic, .heif]

    private var needsRegionOnly: Bool {
        let usual = decodeOptions
        return usual.thumbnailPixelSize == nil && usual.scaleDownLimitBytes == nil && !usual.decodesPreview
            && !usual.decodesToHDR && usual.appliesOrientation && usual.pixelFormat.isPremultiplied
            && animatedClass == nil && context.cacheSerializer == nil && !storesOriginalInMemory
    }
}
