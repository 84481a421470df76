extension LoadPlan {
    /// For a file that is the finished picture already.
    var resultDecodeOptions: ImageDecodeOptions {
        var options = decodeOptions
        if isDerived {
            options.thumbnailPixelSize = nil
            options.scaleDownLimitBytes = 0
        }
        return options
    }

    /// What the file may be: what the load says, and otherwise its name.
    var formatHint: ImageFormatHint { decodeOptions.formatHint.resolved(by: keys.original) }

    /// What decodes the file as it comes; nil for a load that wants no pictures of a part of it, or cannot have them.
    var progressiveCoder: (any ProgressiveImageCoder)? {
        guard showsParts || mayStopEarly, context.downloadDecryptor == nil else { return nil }
        return coder as? any ProgressiveImageCoder
    }

    /// Whether the caller is told of partial pictures.
    var showsParts: Bool { options.contains(.progressiveLoad) }

    /// Whether a preview of the first bytes is all that is wanted of the file. Who says where originals are to be kept
    /// wants all of it.
    var mayStopEarly: Bool {
        decodeOptions.decodesPreview && isThumbnail && animatedClass == nil
            && (context.originalStoreCacheType ?? []).isEmpty
    }

    var encodeOptions: ImageEncodeOptions { context.imageEncodeOptions ?? .derived }

    /// The class that animations are to be held in; nil where any will do.
    var animatedClass: (any AnimatedImage.Type)? {
        decodeOptions.decodesFirstFrameOnly ? nil : context.animatedImageClass
    }

    var requiresAnimatedClass: Bool { animatedClass != nil && options.contains(.matchAnimatedImageClass) }

    /// Whether the transformer is for this picture.
    func transforms(_ image: Image) -> Bool {
        guard transformer != nil else { return false }
        if image.isAnimated, !options.contains(.transformAnimatedImage) { return false }
        return !image.metadata.isVector || options.contains(.transformVectorImage)
    }
}

// MARK: - Memory

extension LoadPlan {
    /// The finished picture in memory, if it is held in the way that this load wants.
    func imageFromMemory() -> Image? {
        guard let special = keys.animation else { return imageFromMemory(for: keys.memory) }
        if let image = imageFromMemory(for: special), isHeldAsWanted(image) { return image }
        guard let image = imageFromMemory(for: keys.memory) else { return nil }
        if decodeOptions.decodesFirstFrameOnly { return image.firstFrame }
        // A still picture is nobody's animation, unless the load takes nothing else.
        return image.isAnimated || requiresAnimatedClass ? nil : image
    }

    func storeInMemory(_ image: Image, at generation: CacheGeneration) {
        let key = memoryKey(for: image)
        storeInMemory(image, for: key, of: cache, at: generation)
        noteSizeInMemory(of: image, key)
    }

    private func imageFromMemory(for key: CacheKey) -> Image? {
        guard let image = cache.imageFromMemory(for: key) else { return nil }
        // An animation or a drawing goes by the transformer's name whether it was transformed or left alone.
        guard transformer != nil, image.isAnimated || image.metadata.isVector else { return image }
        return image.metadata.isTransformed == transforms(image) ? image : nil
    }

    /// What the animated class did not take was held by the coder, under the same name.
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
    }
}

extension ImageDecodeOptions {
    /// What the context says one by one wins over the options that it has as a whole.
    init(context: WebImageContext, options: WebImageOptions, key: CacheKey) {
        self = context.imageDecodeOptions ?? ImageDecodeOptions()
        if let size = context.imageThumbnailPixelSize { thumbnailPixelSize = size }
        if let preserves = context.imagePreserveAspectRatio { preservesAspectRatio = preserves }
        if let covers = context.imageCoversThumbnailBox { coversThumbnailBox = covers }
        if let limit = context.imageScaleDownLimitBytes {
            scaleDownLimitBytes = limit
        } else if options.contains(.scaleDownLargeImages) {
            scaleDownLimitBytes = Self.defaultScaleDownLimitBytes
        }
        if let isWanted = context.imageDecodeToHDR { decodesToHDR = isWanted }
        if options.contains(.decodeFirstFrameOnly) { decodesFirstFrameOnly = true }
        if let scale = context.imageScaleFactor {
            scaleFactor = scale.isFinite ? max(1, scale) : 1
        } else if scaleFactor <= 1 {
            scaleFactor = key.scaleFactor
        }
        if let hint = context.imageTypeIdentifierHint { formatHint = hint }
    }
}

extension ImageEncodeOptions {
    /// For thumbnails and transformed pictures on disk: at the very best quality a JPEG takes three times the space and
    /// the time to read it, for a difference that nobody sees; the original is there besides.
    fileprivate static var derived: ImageEncodeOptions {
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.9
        return options
    }
}
