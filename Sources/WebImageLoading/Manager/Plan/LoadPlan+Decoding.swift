import WebImageCache
import WebImageCore

extension LoadPlan {
    /// For a file that contains the finished picture.
    var resultDecodeOptions: ImageDecodeOptions {
        var options = decodeOptions
        if isDerived {
            options.thumbnailPixelSize = nil
            options.scaleDownLimitBytes = nil
        }
        return options
    }

    /// The format hint of the load, or else of the file's name.
    var formatHint: ImageFormatHint { decodeOptions.formatHint.resolved(by: keys.original) }

    /// The coder for partial pictures and previews; nil for a load that wants neither, or cannot have them.
    var progressiveCoder: (any ProgressiveImageCoder)? {
        guard showsParts || mayStopEarly, context.downloadDecryptor == nil else { return nil }
        return decoder.progressiveCoder
    }

    /// Whether partial pictures are delivered to the caller.
    var showsParts: Bool { options.contains(.progressiveLoad) }

    /// Whether a preview of the first bytes is enough for the load. A load that names caches for the original needs the
    /// whole file.
    var mayStopEarly: Bool {
        decodeOptions.decodesPreview && isThumbnail && animatedClass == nil
            && context.originalStoreCacheType.isDisjoint(with: .all)
    }

    /// For a derived picture on disk, by default at a quality of 0.9: at the best quality a JPEG takes three times the
    /// space and the time to read it, for an invisible difference; the original is stored as well.
    var encodeOptions: ImageEncodeOptions {
        (context.encodeOptions ?? ImageEncodeOptions()).withDefaultQuality(0.9)
    }

    /// The required class of animations; nil for any.
    var animatedClass: (any AnimatedImage.Type)? {
        decodeOptions.decodesFirstFrameOnly ? nil : context.animatedImageClass
    }

    var requiresAnimatedClass: Bool { animatedClass != nil && options.contains(.matchAnimatedImageClass) }

    /// Whether the transformer applies to this picture.
    func transforms(_ image: Image) -> Bool {
        guard transformer != nil else { return false }
        if image.isAnimated, !options.contains(.transformAnimatedImage) { return false }
        return !image.metadata.isVector || options.contains(.transformVectorImage)
    }
}

// MARK: - Memory

extension LoadPlan {
    /// The finished picture in memory, if it has the class that this load requires.
    func imageFromMemory() -> Image? {
        guard let special = keys.animation else { return imageFromMemory(for: keys.memory) }
        if let image = imageFromMemory(for: special), isHeldAsWanted(image) { return image }
        guard let image = imageFromMemory(for: keys.memory) else { return nil }
        if decodeOptions.decodesFirstFrameOnly { return image.firstFrame }
        // A still picture has no animation class, and is accepted unless the load requires one.
        return image.isAnimated || requiresAnimatedClass ? nil : image
    }

    /// The largest picture in memory that shows the same as this load's in another size: untransformed, and in its own shape.
    func imageOfAnySizeFromMemory() -> Image? {
        cache.imagesFromMemory(of: keys.original)
            .filter { maySee($0) && showsTheSame($0) }
            .max { $0.pixelSize.area < $1.pixelSize.area }
    }

    private func showsTheSame(_ image: Image) -> Bool {
        let options = image.decodeOptions ?? ImageDecodeOptions()
        return !image.metadata.isTransformed && !image.metadata.isIncremental && options.preservesAspectRatio
            && options.pageIndex == decodeOptions.pageIndex
            && options.appliesOrientation == decodeOptions.appliesOrientation
            && options.customVariant == decodeOptions.customVariant
    }

    func storeInMemory(_ image: Image, at generation: Int) {
        storeInMemory(image, for: memoryKey(for: image), of: cache, at: generation)
    }

    private func imageFromMemory(for key: CacheKey) -> Image? {
        guard let image = imageFromMemory(of: cache, for: key) else { return nil }
        // An animation or a drawing has the transformer's key whether it was transformed or not.
        guard transformer != nil, image.isAnimated || image.metadata.isVector else { return image }
        return image.metadata.isTransformed == transforms(image) ? image : nil
    }

    /// An animation that the class did not accept is stored under the same key, in the coder's own class.
    private func isHeldAsWanted(_ image: Image) -> Bool {
        guard requiresAnimatedClass, let animatedClass else { return true }
        return image.animation.map { type(of: $0) == animatedClass } ?? false
    }

    private func memoryKey(for image: Image) -> CacheKey {
        guard let special = keys.animation else { return keys.memory }
        return decodeOptions.decodesFirstFrameOnly || image.animation != nil ? special : keys.memory
    }
}

extension Image {
    /// A still picture of the same pixels.
    fileprivate var firstFrame: Image {
        guard isAnimated else { return self }
        var metadata = metadata
        metadata.frameCount = 1
        metadata.loopCount = 0
        return Image(bitmap: bitmap, scale: scale, metadata: metadata, decodeOptions: decodeOptions)
            .made(likewise: self)
    }
}

extension ImageDecodeOptions {
    /// Those of the context. What it leaves open follows from the options of the load and the name of the file.
    package init(context: WebImageContext, options: WebImageOptions, key: CacheKey) {
        self = context.decodeOptions
        if scaleDownLimitBytes == nil, options.contains(.scaleDownLargeImages) {
            scaleDownLimitBytes = Self.defaultScaleDownLimitBytes
        }
        if options.contains(.decodeFirstFrameOnly) { decodesFirstFrameOnly = true }
        let scale = scaleFactor ?? key.scaleFactor
        scaleFactor = scale.isFinite ? max(1, scale) : 1
    }
}
