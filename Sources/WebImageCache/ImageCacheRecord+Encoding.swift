import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

extension ImageCacheRecord {
    /// Bytes that need no encoder; nil without any.
    var knownData: Data? { data ?? image?.animation?.animatedImageData }

    /// The picture, if the record names memory.
    var imageForMemory: Image? { cacheType.contains(.memory) ? image : nil }

    var isForDisk: Bool { cacheType.contains(.disk) && (image != nil || data != nil) }

    /// The entry for the disk.
    func entry(of data: Data) -> DiskCacheEntry {
        var entry = DiskCacheEntry(data: data, extendedData: image?.metadata.extendedData, expiresAt: expiresAt)
        if let image { entry.rights = image.origin.rights }
        return entry
    }

    /// The same with the hash of the picture, where that is wanted and there is one.
    func makeEntry(withThumbHash isHashed: Bool) throws(WebImageError) -> DiskCacheEntry? {
        var entry = try makeEntry()
        if isHashed, let image { entry?.thumbHash = try? ThumbHash(of: image.bitmap) }
        return entry
    }

    /// The entry for the disk, encoded where necessary; nil for an empty record. Blocks while it encodes.
    func makeEntry() throws(WebImageError) -> DiskCacheEntry? {
        if let data = knownData { return entry(of: data) }
        guard let image else { return nil }
        let coder = context.coder ?? ImageCodersManager.shared
        var entry = entry(
            of: try coder.encodeForCache(image, options: encodeOptions))
        entry.originalPixelSize = image.metadata.wholePixelSize
        return entry
    }

    /// In the best quality by default: what the picture loses here is nowhere else.
    private var encodeOptions: ImageEncodeOptions {
        (context.encodeOptions ?? ImageEncodeOptions()).withDefaultQuality(1)
    }

    /// Calls back on the queue of the context.
    func end(_ result: Result<Void, WebImageError>, _ completion: (@Sendable (Result<Void, WebImageError>) -> Void)?) {
        guard let completion else { return }
        (context.callbackQueue ?? .main).run { completion(result) }
    }
}

extension ImageCoder {
    /// The format of a picture's file in a cache: its original format, where that can be written and loses nothing;
    /// otherwise GIF for animations, PNG for transparency and for lossless originals, and JPEG.
    func cacheFormat(for image: Image) -> ImageFormat {
        let format = image.metadata.format
        if image.isAnimated {
            // Encoders of the other formats write only one frame.
            return [.gif, .png, .webP].contains(format) && canEncode(format) ? format : .gif
        }
        // A reduced GIF has more than 256 colours, and partial transparency; BMP takes much space.
        if [.gif, .bmp].contains(format), canEncode(.png) { return .png }
        if format != .undefined, canEncode(format), image.bitmap.isOpaque || format != .jpeg { return format }
        return image.bitmap.isOpaque ? .jpeg : .png
    }

    /// The bytes of a picture's file in a cache.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``, also for an animation whose frames are not available or that no
    ///   coder writes: a file of its first frame would be taken for the whole.
    package func encodeForCache(_ image: Image, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let format = cacheFormat(for: image)
        guard !image.isAnimated || (image.animation != nil && canEncode(format)) else {
            throw .framesNotEncoded(image)
        }
        return try encode(image, to: format, options: options)
    }
}

extension WebImageError {
    fileprivate static func framesNotEncoded(_ image: Image) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .policy,
            reason: "the animation has \(image.metadata.frameCount) frames, which are not there or no coder writes; "
                + "store it together with its file")
    }
}
