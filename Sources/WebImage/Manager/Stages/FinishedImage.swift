import FoundationEssentials

/// A picture that has come to the end of its road.
struct FinishedImage: Sendable {
    let image: DecodedImage
    /// What came from the decoder: the same, or what the transformer was given.
    let decoded: DecodedImage
}

extension LoadResult {
    init(_ finished: FinishedImage, encoded: EncodedImage, plan: LoadPlan) {
        let image = finished.image.image
        // Read in vain: another load had put the picture into memory meanwhile, perhaps another version of it.
        let isFromMemory = finished.image.isFromMemory
        // The file of another picture is not this one's.
        let hasFile =
            !plan.isThumbnail && !image.metadata.isTransformed && encoded.source != .memory
            && (!isFromMemory || plan.wantsDataFromDisk)
        self.init(
            image: image, data: hasFile ? encoded.data : nil, cacheType: isFromMemory ? .memory : encoded.cacheType,
            url: plan.requestedURL, byteCount: encoded.byteCount, http: encoded.http)
    }
}
