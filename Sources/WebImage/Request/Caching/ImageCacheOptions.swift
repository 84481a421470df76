/// The options of a cache query. The raw values are SDWebImage's.
public struct ImageCacheOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options by their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Read the file from the disk beside a picture from memory.
    public static let queryMemoryData = ImageCacheOptions(rawValue: 1 << 0)
    /// With ``queryMemoryData``: read the file on the caller's thread. Blocks.
    public static let queryMemoryDataSync = ImageCacheOptions(rawValue: 1 << 1)
    /// Read and decode a picture from the disk on the caller's thread, before the call returns. Blocks.
    public static let queryDiskDataSync = ImageCacheOptions(rawValue: 1 << 2)
    /// Decode no larger than ``ImageDecodeOptions/defaultScaleDownLimitBytes`` allows, unless the context has a limit.
    public static let scaleDownLargeImages = ImageCacheOptions(rawValue: 1 << 3)
    /// The same as the context's ``ForceDecodePolicy/never``.
    public static let avoidDecodeImage = ImageCacheOptions(rawValue: 1 << 4)
    /// Decode an animation as a still picture of its first frame. Overrides the context's animated class.
    public static let decodeFirstFrameOnly = ImageCacheOptions(rawValue: 1 << 5)
    /// Decode all frames of an animation before it is delivered.
    public static let preloadAllFrames = ImageCacheOptions(rawValue: 1 << 6)
    /// Accept only the context's animated class: a picture of another class in memory counts as none, and a file that
    /// the class does not accept fails with ``WebImageError/Code/badImageData``.
    public static let matchAnimatedImageClass = ImageCacheOptions(rawValue: 1 << 7)
}

extension ImageCacheOptions {
    /// The same for the stages of a load.
    var forLoads: WebImageOptions {
        let names: [(ImageCacheOptions, WebImageOptions)] = [
            (.queryMemoryData, .queryMemoryData), (.queryMemoryDataSync, .queryMemoryDataSync),
            (.queryDiskDataSync, .queryDiskDataSync), (.scaleDownLargeImages, .scaleDownLargeImages),
            (.avoidDecodeImage, .avoidDecodeImage), (.decodeFirstFrameOnly, .decodeFirstFrameOnly),
            (.preloadAllFrames, .preloadAllFrames), (.matchAnimatedImageClass, .matchAnimatedImageClass),
        ]
        return isEmpty ? [] : names.reduce(into: []) { if contains($1.0) { $0.insert($1.1) } }
    }
}
