import FoundationEssentials
import WebImageCoders
import WebImageCore

extension TiledImage {
    /// Opens a picture in memory.
    ///
    /// - Parameter limits: The most pixels are ``ImageLimits/maximumSourcePixelCount``; a picture that has no regions is
    ///   also bound to the other limits.
    /// - Throws: ``WebImageError/Code/badImageData``, ``WebImageError/Code/truncatedImageData``,
    ///   ``WebImageError/Code/limitExceeded``, and ``WebImageError/Code/cancelled`` when the task was cancelled.
    public static func open(
        _ data: Data, limits: ImageLimits = ImageLimits()
    ) async throws(WebImageError) -> TiledImage {
        try await open(RandomAccessFile(data), limits: limits, store: nil, settings: TileSettings(), base: nil)
    }

    /// The same for a file of any kind.
    ///
    /// - Parameter base: The whole picture, where it is there already: nothing is read for it then, and the tiles have its
    ///   colours, which are sRGB or Display P3.
    static func open(
        file: RandomAccessFile, limits: ImageLimits = ImageLimits(), store: (any TileIndexStore)? = nil,
        settings: TileSettings = TileSettings(), base: Bitmap? = nil
    ) async throws(WebImageError) -> TiledImage {
        try await open(file, limits: limits, store: store, settings: settings, base: base)
    }

    private static func open(
        _ file: RandomAccessFile, limits: ImageLimits, store: (any TileIndexStore)?, settings: TileSettings,
        base: Bitmap?
    ) async throws(WebImageError) -> TiledImage {
        let cancellation = CancellationFlag()
        let result: Result<TiledImage, WebImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                JobQueue.decoding.submit(priority: .high) {
                    continuation.resume(returning: read(file, limits, store, settings, base, cancellation))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Reads the base here, and makes the index at the same time on another processor.
    private static func read(
        _ file: RandomAccessFile, _ limits: ImageLimits, _ store: (any TileIndexStore)?, _ settings: TileSettings,
        _ base: Bitmap?, _ cancellation: CancellationFlag
    ) -> Result<TiledImage, WebImageError> {
        do throws(WebImageError) {
            if cancellation.isCancelled { throw .cancelled() }
            let regions = try ImageCodersManager.shared.openPicture(
                in: file, limits: limits, colors: base?.colorSpace == .displayP3 ? .displayP3 : .sRGB)
            let source = try TileSource(regions, cancellation: cancellation)
            settings.queue.submit(priority: .low) { source.prepareRegions(of: file, store) }
            do throws(WebImageError) {
                let whole = if let base { base } else { try source.readBase() }
                return .success(TiledImage(source, base: whole, settings: settings))
            } catch {
                source.close()
                throw error
            }
        } catch {
            return .failure(error)
        }
    }
}

extension TileSource {
    /// Makes the index, or takes the one that is kept, and keeps a new one.
    fileprivate func prepareRegions(of file: RandomAccessFile, _ store: (any TileIndexStore)?) {
        let kept = store?.index(of: file)
        prepareRegions(kept: kept)
        if let store, let index = self.file.keptIndex, index != kept { store.keep(index, of: file) }
    }
}
