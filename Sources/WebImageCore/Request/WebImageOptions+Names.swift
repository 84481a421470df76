extension WebImageOptions: CustomStringConvertible {
    /// Every option by its name, in the order of the bits.
    package static let byName: KeyValuePairs<String, WebImageOptions> = [
        "retryFailed": .retryFailed, "lowPriority": .lowPriority, "progressiveLoad": .progressiveLoad,
        "refreshCached": .refreshCached, "continueInBackground": .continueInBackground,
        "handleCookies": .handleCookies, "allowInvalidSSLCertificates": .allowInvalidSSLCertificates,
        "highPriority": .highPriority, "delayPlaceholder": .delayPlaceholder,
        "transformAnimatedImage": .transformAnimatedImage, "avoidAutoSetImage": .avoidAutoSetImage,
        "scaleDownLargeImages": .scaleDownLargeImages, "queryMemoryData": .queryMemoryData,
        "queryMemoryDataSync": .queryMemoryDataSync, "queryDiskDataSync": .queryDiskDataSync,
        "fromCacheOnly": .fromCacheOnly, "fromLoaderOnly": .fromLoaderOnly, "forceTransition": .forceTransition,
        "avoidDecodeImage": .avoidDecodeImage, "decodeFirstFrameOnly": .decodeFirstFrameOnly,
        "preloadAllFrames": .preloadAllFrames, "matchAnimatedImageClass": .matchAnimatedImageClass,
        "waitStoreCache": .waitStoreCache, "transformVectorImage": .transformVectorImage,
        "avoidAutoCancelImage": .avoidAutoCancelImage, "waitTransition": .waitTransition,
    ]

    /// The names of the options that are set, in the order of their bits.
    package var names: [String] { Self.byName.filter { contains($0.value) }.map(\.key) }

    /// The names of the options that are set: `[retryFailed, lowPriority]`.
    public var description: String { "[\(names.joined(separator: ", "))]" }
}
