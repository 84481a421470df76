import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// A picture at the end of its stages.
struct FinishedImage: Sendable {
    let image: DecodedImage
    /// The decoded picture: the same, or the source of the transformer.
    let decoded: DecodedImage
}

extension LoadResult {
    init(_ finished: FinishedImage, encoded: EncodedImage, plan: LoadPlan) {
        let image = finished.image.image
        // The read was unnecessary: another load had put the picture into memory meanwhile, perhaps another version of
        // it.
        let isFromMemory = finished.image.isFromMemory
        // The file of another picture must not be delivered with this one.
        let hasFile =
            !plan.isThumbnail && !image.metadata.isTransformed && encoded.source != .memory
            && (!isFromMemory || plan.wantsDataFromDisk)
        self.init(
            image: image, data: hasFile ? encoded.data : nil, cacheType: isFromMemory ? .memory : encoded.cacheType,
            url: plan.requestedURL, byteCount: encoded.byteCount, http: encoded.http)
        isValidated = encoded.stored?.isValidated ?? false
        isStale = encoded.stored?.answer.isStale ?? false
        metrics = encoded.metrics
    }
}
