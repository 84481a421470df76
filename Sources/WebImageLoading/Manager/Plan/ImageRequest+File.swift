import WebImageCore
import WebImagePixels

extension ImageRequest {
    /// The load of the file of this request's picture, planned by `plan`: from the disk, or from its loader, and then kept
    /// on the disk where the picture's own load would keep it. The result has the bytes, and a pixel in place of the picture.
    package func ofFile(by plan: LoadPlan) -> ImageRequest {
        var copy = broughtToDisk(by: plan)
        // The picture has come before; its file is wanted, and not a newer one.
        copy.options.subtract([.fromLoaderOnly, .refreshCached])
        copy.context.transformer = DisabledImageTransformer()
        copy.context.thumbnailPixelSize = nil
        copy.context.decodeOptions = ImageDecodeOptions()
        copy.context.decodeOptions.limits = context.decodeOptions.limits
        copy.context.cache = DiskOnlyCache(plan.cacheOfFile)
        copy.context.originalCache = nil
        copy.context.queryCacheType = .disk
        copy.context.originalStoreCacheType = .noCache
        copy.context.storeCacheType = plan.keepsFileOnDisk ? .disk : .noCache
        return copy
    }
}

extension LoadPlan {
    /// The cache whose disk has the original file, if any has.
    var cacheOfFile: any ImageCaching { cachesOfOriginalFile.first ?? originalCache }
}
