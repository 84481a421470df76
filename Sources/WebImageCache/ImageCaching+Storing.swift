import FoundationEssentials
import WebImageCore

// Pictures by key, for apps.
extension ImageCaching {
    /// Stores a picture under a key: in memory before this returns, on disk in the background.
    ///
    /// - Parameters:
    ///   - data: The picture's file. Without it, an animation's own file is stored; other pictures are encoded in their
    ///     original format where that can be written, and otherwise as GIF (animations), PNG (transparency) or JPEG.
    ///     Its ``ImageMetadata/extendedData`` are stored with the file.
    ///   - context: The coder, its settings, and the callback queue.
    ///   - cacheType: The tiers to store it in.
    ///   - completion: Called once when all is stored: before this returns when the disk is not used, and otherwise on
    ///     the callback queue. Gets ``WebImageError/Code/encodeFailed`` or the errors of ``DiskCache/store(_:for:)``.
    public func store(
        _ image: Image, data: Data? = nil, for key: CacheKey, context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all, completion: (@Sendable (Result<Void, WebImageError>) -> Void)? = nil
    ) {
        store(
            ImageCacheRecord(key, image: image, data: data, context: context, cacheType: cacheType),
            completion: completion)
    }

    /// Stores a file under a key, on disk only; see ``store(_:data:for:context:cacheType:completion:)``.
    public func store(
        data: Data, for key: CacheKey, context: WebImageContext = WebImageContext(),
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)? = nil
    ) {
        store(ImageCacheRecord(key, data: data, context: context, cacheType: .disk), completion: completion)
    }

    /// Stores a picture, its file, or both; returns when all is stored. Throws the errors of
    /// ``store(_:data:for:context:cacheType:completion:)``.
    public func store(_ record: ImageCacheRecord) async throws(WebImageError) {
        var record = record
        record.context.callbackQueue = .current
        let result = await withCheckedContinuation { continuation in
            store(record) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// The first of the given tiers that has a key: `.memory` before `.disk`, or `.noCache`.
    public func contains(_ key: CacheKey, in tiers: ImageCacheType = .all) async -> ImageCacheType {
        await withCheckedContinuation { continuation in
            contains(key, in: tiers) { continuation.resume(returning: $0) }
        }
    }
}
