import FoundationEssentials
import Synchronization
import WebImageCore

// Pictures by key, for apps.
extension ImageCaching {
    /// Looks for a picture like a load from the cache only.
    public func queryImage(
        _ query: ImageCacheQuery, completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void
    ) -> ImageCacheToken? {
        CachedImageSearch(query, in: self).start(completion)
    }

    /// Looks for a picture: in memory, then on disk, where it is decoded and put into memory.
    ///
    /// A picture from memory is delivered before this returns, on the calling thread; so is a picture that
    /// ``WebImageOptions`` require to be read there. All other results are delivered on
    /// ``WebImageContext/callbackQueue``. A file that does not decode is removed and counts as none.
    ///
    /// - Parameters:
    ///   - key: The picture's name; see ``ImageCacheQuery/key``.
    ///   - context: How it is decoded, and where the answer is given; see ``ImageCacheQuery/context``.
    ///   - completion: Called once, with the picture, nil when there is none, or an error: ``WebImageError/Code/cancelled``
    ///     after `cancel()`, ``WebImageError/Code/limitExceeded`` for a picture that the decode options refuse.
    /// - Returns: The token to cancel the query; nil when it is over.
    @discardableResult
    public func queryImage(
        for key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all,
        completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void
    ) -> ImageCacheToken? {
        queryImage(
            ImageCacheQuery(key, options: options, context: context, cacheType: cacheType), completion: completion)
    }

    /// Looks for a picture; see ``queryImage(for:options:context:cacheType:completion:)``.
    ///
    /// - Returns: The picture; nil when there is none.
    /// - Throws: ``WebImageError/Code/cancelled`` when the task is cancelled; ``WebImageError/Code/limitExceeded``.
    public func queryImage(
        for key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all
    ) async throws(WebImageError) -> ImageCacheResult? {
        var context = context
        // The task resumes on its own executor.
        context.callbackQueue = .current
        let query = ImageCacheQuery(key, options: options, context: context, cacheType: cacheType)
        let cancellation = DeferredCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let token = queryImage(query) { continuation.resume(returning: $0) }
                if let token { cancellation.attach(token) }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// The picture in memory, by the rules of a query; at once.
    public func imageFromMemory(
        for key: CacheKey, options: WebImageOptions, context: WebImageContext = WebImageContext()
    ) -> Image? {
        CachedImageSearch(ImageCacheQuery(key, options: options, context: context), in: self).imageFromMemory()
    }

    /// Reads and decodes the picture on disk, on the calling thread. Blocks. An app's own cache has to answer before
    /// its ``queryImage(_:completion:)`` returns, as ``WebImageOptions/queryDiskDataSync`` requires; otherwise the
    /// result is nil.
    ///
    /// - Returns: The picture; nil when there is none.
    /// - Throws: As ``queryImage(for:options:context:cacheType:completion:)``.
    public func imageFromDiskBlocking(
        for key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) throws(WebImageError) -> Image? {
        try imageNow(ImageCacheQuery(key, options: options, context: context, cacheType: .disk))
    }

    /// The picture in memory, or else the one on disk, which is read and decoded on the calling thread. May block;
    /// throws the errors of ``imageFromDiskBlocking(for:options:context:)``.
    public func imageFromCacheBlocking(
        for key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) throws(WebImageError) -> Image? {
        try imageNow(ImageCacheQuery(key, options: options, context: context))
    }

    private func imageNow(_ query: ImageCacheQuery) throws(WebImageError) -> Image? {
        var query = query
        // The caller does not get the bytes: reading them would be wasted work.
        query.options.remove(.queryMemoryData)
        query.options.insert(.queryDiskDataSync)
        let answer = Answer()
        _ = queryImage(query) { result in answer.result.withLock { $0 = result } }
        return try answer.result.withLock { $0 }?.get()?.image
    }
}

/// The result of a query on the calling thread.
private final class Answer: Sendable {
    let result = Mutex<Result<ImageCacheResult?, WebImageError>?>(nil)
}
