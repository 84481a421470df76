import FoundationEssentials
import WebImageCoders
import WebImageCore

extension ImageRequest {
    /// The load that brings the file of this request, planned by `plan`, to the disk without decoding it.
    ///
    /// It is an ordinary load, so that interceptors, listeners, delegates and failed URLs work as always. Its
    /// collaborators do not handle pixels: a coder that reads headers, a cache without memory, and a transformer that
    /// only has a key.
    func broughtToDisk(by plan: LoadPlan) -> ImageRequest {
        var copy = self
        copy.options.subtract(.aboutPixels)
        // The load then ends after the write.
        copy.options.insert(.waitStoreCache)
        copy.context.coder = HeaderCoder(plan.decoder)
        copy.context.cache = DiskOnlyCache(plan.cache)
        copy.context.originalCache = plan.context.originalCache.map { DiskOnlyCache($0) }
        copy.context.cacheSerializer = plan.context.cacheSerializer.map { FileSerializer(serializer: $0) }
        copy.context.transformer = plan.transformer.map { TransformerName(transformerKey: $0.transformerKey) }
        copy.context.animatedImageClass = nil
        return copy
    }
}

extension LoadPlan {
    /// Whether the original file is kept on the disk. Derived pictures are made from it on demand.
    var keepsFileOnDisk: Bool {
        (isDerived ? originalStoreTiers : storeTiers.union(originalStoreTiers)).contains(.disk)
    }
}

extension WebImageOptions {
    fileprivate static let aboutPixels: WebImageOptions = [
        .progressiveLoad, .preloadAllFrames, .matchAnimatedImageClass, .queryMemoryData, .queryMemoryDataSync,
        .queryDiskDataSync,
    ]
}

/// Reads the headers of the files that another coder decodes, and returns one pixel in place of the picture.
private final class HeaderCoder: ImageCoder {
    private let coder: any ImageCoder

    init(_ coder: any ImageCoder) { self.coder = coder }

    func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        _ = try coder.properties(of: data, isComplete: true, options: options)
        return Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0]))
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    /// Prevents the pixel from being stored on the disk.
    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        throw WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent,
            reason: "the picture was prefetched to the disk and has no pixels; load it to encode it")
    }
}

/// Calls another serializer with the file alone, as for a load that decodes a thumbnail only.
private struct FileSerializer: CacheSerializer {
    let serializer: any CacheSerializer

    func data(for image: Image?, originalData data: Data?, url: URL) -> Data? {
        serializer.data(for: nil, originalData: data, url: url)
    }
}

/// Takes the place of a transformer in cache keys.
private struct TransformerName: ImageTransformer {
    let transformerKey: String

    func transform(_ image: Image, for key: CacheKey) -> Image? { image }
}
