/// Loads the originals of the thumbnails that are visible, and once these have been scrolled, of those around them, as far
/// as a list loads its own pictures; at low priority.
@MainActor
package final class OriginalPrefetcher {
    /// A photo and the pixels of its page.
    package typealias Original = (photo: Photo, pixels: PixelSize)

    private let original: (Int) -> Original?
    private var prefetchers: [ObjectIdentifier: WebImagePrefetcher] = [:]
    private var tokens: [Int: PrefetchToken] = [:]
    private var plan = ListPrefetchPlan(window: LoadWindow())
    private var visible: Range<Int>?
    /// Each scroll asks for all that is visible, but the app is asked once.
    private var withoutOriginal: Set<Int> = []

    /// - Parameter original: The original of an index; nil where there is none.
    package init(_ original: @escaping (Int) -> Original?) { self.original = original }

    isolated deinit { stop() }

    /// Takes the visible thumbnails, whose originals come first; what is not near them any more is cancelled.
    package func show(_ range: Range<Int>, itemCount: Int) {
        guard !range.isEmpty else { return stop() }
        let near = near(range, itemCount)
        for index in tokens.keys where !range.contains(index) && !plan.near.contains(index) {
            tokens.removeValue(forKey: index)?.cancel()
        }
        for index in Array(range) + near where tokens[index] == nil && !withoutOriginal.contains(index) { load(index) }
    }

    /// What has come near. Originals are large: nothing that may never be seen is loaded before the first scroll.
    private func near(_ range: Range<Int>, _ itemCount: Int) -> [Int] {
        defer { visible = range }
        guard let visible, visible != range else { return [] }
        return plan.show(range, itemCount: itemCount).started
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
        _ = plan.hide()
        visible = nil
    }
}
