import FoundationEssentials
import WebImageCore

/// The extent of one load of a photo.
@MainActor
struct PhotoLoad {
    /// The pixels that the picture is to cover; nil for all.
    private let size: PixelSize?
    /// A picture that is far longer than its view is decoded to fewer pixels than would cover that: its tiles are sharp.
    private static let byteLimit = 96 << 20

    private let isRepeated: Bool
    private let entersMemory: Bool

    /// - Parameters:
    ///   - isRepeated: Whether the one before has failed: the person asks for it, so that it is tried.
    ///   - entersMemory: Whether the memory cache gets the picture even if the disk has it.
    init(_ size: PixelSize?, isRepeated: Bool = false, entersMemory: Bool = true) {
        self.size = size
        self.isRepeated = isRepeated
        self.entersMemory = entersMemory
    }

    func isEnough(for other: PixelSize?) -> Bool {
        guard let size else { return true }
        guard let other else { return false }
        return size.width >= other.width && size.height >= other.height
    }

    func request(for url: URL, options: WebImageOptions, context: WebImageContext) -> ImageRequest {
        var context = context
        context.callbackQueue = .main
        context.manager = nil
        // The browser has the thumbnails of its data source.
        context.preview = nil
        // Without a file, the next turn of the page would load it anew.
        let hasFile = context.storeCacheType.union(context.originalStoreCacheType).contains(.disk)
        if !entersMemory, hasFile { context.storeCacheType = context.storeCacheType.intersection(.disk) }
        if let size, !size.isEmpty, context.decodeOptions.thumbnailPixelSize == nil {
            context.decodeOptions.thumbnailPixelSize = size.roundedUpForDecoding
            context.decodeOptions.coversThumbnailBox = true
            context.decodeOptions.scaleDownLimitBytes = context.decodeOptions.scaleDownLimitBytes ?? Self.byteLimit
        }
        return ImageRequest(url, options: isRepeated ? options.union(.retryFailed) : options, context: context)
    }
}
