import WebImageCache
import WebImageCore
import WebImagePixels

// Thumbnails made from a larger picture in memory, where the cache is configured for that.
extension LoadPlan {
    /// Whether a larger picture in memory is a valid source: only for plain pixels without further requirements.
    var mayReduceFromMemory: Bool {
        isThumbnail && queriesMemory && !revalidates && hasPlainPixels && cache.sizesInMemory != nil
    }

    private var hasPlainPixels: Bool { transformer == nil && keys.animation == nil && keys.memory == keys.result }

    /// The smallest picture in memory from which the thumbnail can be made.
    func largerImageFromMemory() -> LargerImage? {
        guard mayReduceFromMemory, let sizes = cache.sizesInMemory else { return nil }
        let generation = generation
        for thumbnail in sizes.thumbnails(of: keys.original) {
            guard let image = cache.imageFromMemory(for: thumbnail.key) else {
                sizes.forget(thumbnail, of: keys.original)
                continue
            }
            if maySee(image), let larger = LargerImage(image, decodeOptions, generation) { return larger }
        }
        return imageFromMemory(of: cache, for: keys.original).flatMap { LargerImage($0, decodeOptions, generation) }
    }

    /// Records the size of a thumbnail from which others can be made, and removes sizes of other pictures.
    func noteSizeInMemory(of image: Image, _ key: CacheKey) {
        guard hasPlainPixels, let sizes = cache.sizesInMemory else { return }
        guard isThumbnail else { return sizes.forgetThumbnails(of: keys.original, unlessOf: image.source) }
        let thumbnail = SizesInMemory.Thumbnail(key: key, size: image.pixelSize, file: image.source)
        sizes.note(thumbnail, of: keys.original)
    }
}

/// A picture that has all the pixels that a thumbnail of the same file needs.
struct LargerImage: Sendable {
    private let image: Image
    /// The size that decoding the file gives.
    private let size: PixelSize
    /// The generation when it was found.
    let generation: CacheGeneration

    /// nil for a picture that is too small, for an animation, and for a drawing.
    init?(_ image: Image, _ options: ImageDecodeOptions, _ generation: CacheGeneration) {
        let metadata = image.metadata
        guard !image.isAnimated, !metadata.isVector, !metadata.isTransformed, !metadata.isIncremental else {
            return nil
        }
        let source = metadata.originalPixelSize ?? image.pixelSize
        let size = ThumbnailGeometry(storedSourceSize: source, orientation: .up, options: options).outputSize
        guard image.pixelSize.width >= size.width, image.pixelSize.height >= size.height else { return nil }
        self.image = image
        self.size = size
        self.generation = generation
    }

    /// The thumbnail; nil when there is no memory for it.
    func reduced() -> Image? {
        let points = PointSize(width: Double(size.width), height: Double(size.height))
        guard let geometry = ResizeGeometry(source: image.pixelSize, size: points, scale: 1, mode: .fill),
            let bitmap = try? image.bitmap.resized(geometry)
        else { return nil }
        var metadata = image.metadata
        metadata.originalPixelSize = metadata.originalPixelSize ?? image.pixelSize
        metadata.isThumbnail = size != metadata.originalPixelSize
        return Image(bitmap: bitmap, scale: image.scale, metadata: metadata, decodeOptions: image.decodeOptions)
            .made(likewise: image)
    }
}
