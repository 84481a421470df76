/// Loads the originals of the thumbnails that are visible, at low priority: a list's own prefetcher loads what lies around
/// them.
@MainActor
package final class OriginalPrefetcher {
    private let request: (Int) -> ImageRequest?
    private let prefetcher: WebImagePrefetcher
    private var tokens: [Int: PrefetchToken] = [:]

    /// - Parameters:
    ///   - manager: Loads the originals, as the pages do.
    ///   - request: The load of the original of an index; nil where there is none.
    package init(manager: WebImageManager, request: @escaping (Int) -> ImageRequest?) {
        prefetcher = WebImagePrefetcher(manager: manager)
        self.request = request
    }

    isolated deinit { stop() }

    /// The visible thumbnails; what is not among them any more is cancelled.
    package func show(_ range: Range<Int>) {
        for index in tokens.keys where !range.contains(index) { tokens.removeValue(forKey: index)?.cancel() }
        for index in range where tokens[index] == nil {
            if let request = request(index) { tokens[index] = prefetcher.prefetch([request], completed: nil) }
        }
    }

    /// Cancels all.
    package func stop() {
        for token in tokens.values { token.cancel() }
        tokens = [:]
    }
}
