import FoundationEssentials
import WebImageCore

/// The two requests of a load with a preview.
struct PreviewedRequest: Sendable {
    let small: ImageRequest
    let large: ImageRequest

    /// nil for a request without a preview.
    init?(_ request: ImageRequest) {
        guard let preview = request.context.preview else { return nil }
        var (small, large) = (request, request)
        large.context.preview = nil
        small.context.preview = nil
        small.context.alternativeURLs = []
        // A preview, which is about to be replaced, is worth neither a question to the server nor a wait.
        small.options.subtract([
            .refreshCached, .progressiveLoad, .waitStoreCache, .queryMemoryData, .continueInBackground,
        ])
        switch preview.source {
        case .url(let url): small.url = url
        case .pixelSize(let size): small.context.thumbnailPixelSize = size
        }
        self.small = small
        self.large = large
    }

    /// The addresses of the large picture, each with its request.
    var larges: [ImageRequest] { AlternativeSources(large)?.requests ?? [large] }

    /// The small picture where the large one is on the disk: it is not worth a transfer then.
    var smallFromCaches: ImageRequest {
        var request = small
        request.options.insert(.fromCacheOnly)
        return request
    }

    /// Whether a look at the disk may spare the transfer of the small picture. The files of local addresses are there, and a
    /// load that reads the disk on the caller's thread waits for nothing.
    var looksOnDisk: Bool {
        large.options.isDisjoint(with: [.fromLoaderOnly, .fromCacheOnly, .queryDiskDataSync])
            && large.url?.isLocal == false
    }
}
