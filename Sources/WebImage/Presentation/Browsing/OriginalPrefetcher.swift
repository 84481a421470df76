/// Loads the originals of the thumbnails that are visible, at low priority: a list's own prefetcher loads what lies around
/// them.
@MainActor
package final class OriginalPrefetcher {
    /// A photo and the pixels of its page.
    package typealias Original = (photo: Photo, pixels: PixelSize)

    private let original: (Int) -> Original?
    private var prefetchers: [ObjectIdentifier: WebImagePrefetcher] = [:]
    private var tokens: [Int: PrefetchToken] = [:]
    /// Each scroll asks for all that is visible, but the app is asked once.
    private var withoutOriginal: Set<Int> = []

    /// - Parameter original: The original of an index; nil where there is none.
    package init(_ original: @escaping (Int) -> Original?) { self.original = original }

    isolated deinit { stop() }

    /// The visible thumbnails; what is not among them any more is cancelled.
    package func show(_ range: Range<Int>) {
        for index in tokens.keys where !range.contains(index) { tokens.removeValue(forKey: index)?.cancel() }
        for index in range where tokens[index] == nil && !withoutOriginal.contains(index) { load(index) }
    }

    private func load(_ index: Int) {
        guard let original = original(index), let request = original.photo.request(covering: original.pixels) else {
            withoutOriginal.insert(index)
            return
        }
        let prefetcher = prefetcher(of: original.photo.context.manager ?? .shared)
        tokens[index] = prefetcher.prefetch([request], completed: nil)
    }

    /// Photos are loaded by their own managers, as on their pages.
    private func prefetcher(of manager: WebImageManager) -> WebImagePrefetcher {
        if let known = prefetchers[ObjectIdentifier(manager)] { return known }
        let made = WebImagePrefetcher(manager: manager)
        prefetchers[ObjectIdentifier(manager)] = made
        return made
    }

    /// Cancels all.
    package func stop() {
        for token in tokens.values { token.cancel() }
        tokens = [:]
    }
}
