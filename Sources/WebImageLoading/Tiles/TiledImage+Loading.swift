import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension TiledImage {
    /// Opens a picture at an address. A file is read where it is. Any other address is loaded through the manager into its
    /// disk cache, unless it is there already, and read from there. What is learnt about the file is kept in the disk cache,
    /// so that the next visit finds its parts at once.
    ///
    /// - Parameters:
    ///   - address: A `URL`, or a text that a person has written.
    ///   - manager: Loads the file; its cache keeps it.
    ///   - context: Of the load: its cache, loader and rights. Sizes and transformers count for nothing. Where its tiers
    ///     keep the file from the disk, the file is read from memory.
    ///   - limits: The most pixels are ``ImageLimits/maximumSourcePixelCount``; a picture that has no regions is also bound
    ///     to the other limits.
    /// - Throws: The reason why the file could not be loaded or read; ``WebImageError/isCancelled`` when the task was
    ///   cancelled.
    public static func open(
        _ address: any ImageAddress, manager: WebImageManager = .shared, context: WebImageContext = WebImageContext(),
        limits: ImageLimits = ImageLimits()
    ) async throws(WebImageError) -> TiledImage {
        try await open(address.imageURL, options: [], manager: manager, context: context, limits: limits)
    }

    /// - Parameters:
    ///   - options: Of the load, as far as they are about where the file comes from.
    ///   - base: The whole picture in any size, where it is there already.
    package static func open(
        _ url: URL, options: WebImageOptions, manager: WebImageManager, context: WebImageContext,
        limits: ImageLimits = ImageLimits(), settings: TileSettings = TileSettings(), base: Bitmap? = nil
    ) async throws(WebImageError) -> TiledImage {
        let request = ImageRequest(url, options: options, context: context)
        let plan = manager.plan(of: request)
        guard !url.hasScheme("file") else {
            let store = plan?.keptIndex(context.storeCacheType.contains(.disk))
            return try await open(file: localFile(url), limits: limits, store: store, settings: settings, base: base)
        }
        guard let plan else { throw .hasNoFile(url) }
        let (file, isOnDisk) = try await file(of: request, by: plan, manager)
        let store = plan.keptIndex(plan.keepsFileOnDisk)
        do throws(WebImageError) {
            return try await open(file: file, limits: limits, store: store, settings: settings, base: base)
        } catch {
            // The load has looked at the header only.
            if isOnDisk, [.badImageData, .truncatedImageData].contains(error.code) {
                plan.cacheOfFile.removeAlone(for: plan.keys.original, from: .disk, completion: nil)
            }
            throw error
        }
    }

    private static func localFile(_ url: URL) throws(WebImageError) -> RandomAccessFile {
        let path = try FilePath(url)
        do {
            return try RandomAccessFile(path: path.bytes + [0])
        } catch {
            throw error.webImageError(stage: .load)
        }
    }

    /// The file in the disk cache, or its bytes where it is not kept there.
    static func file(
        of request: ImageRequest, by plan: LoadPlan, _ manager: WebImageManager
    ) async throws(WebImageError) -> (file: RandomAccessFile, isOnDisk: Bool) {
        let result = try await manager.result(for: request.ofFile(by: plan))
        // Another load's file may be older, or not for this one to see.
        if plan.keepsFileOnDisk || result.cacheType == .disk,
            let file = plan.cacheOfFile.openFile(for: plan.keys.original),
            result.data.map({ $0.count == file.byteCount }) ?? true
        {
            return (file, true)
        }
        guard let data = result.data else { throw .hasNoFile(plan.url) }
        return (RandomAccessFile(data), result.cacheType == .disk)
    }
}

extension LoadPlan {
    /// The place of the kept index of the picture's file; nil if none is kept.
    fileprivate func keptIndex(_ isKept: Bool) -> CachedTileIndex? {
        isKept ? CachedTileIndex(of: keys.original, in: cacheOfFile) : nil
    }
}

extension WebImageError {
    fileprivate static func hasNoFile(_ url: URL) -> WebImageError {
        WebImageError(
            .fileFailed, stage: .load, kind: .permanent,
            reason: "what answers for this address brings a picture without a file; open its data instead", url: url)
    }
}
