import FoundationEssentials
import WebImage

/// Brings pictures into the window: built-in ones, or those of sources. What is shown last takes the place of all that is
/// still being read.
final class GalleryContents {
    private let window: GalleryWindow
    private let loader: any ImageLoader
    /// Called with a sentence when there is nothing to be shown.
    private let failed: (String) -> Void
    private let mounter: VolumeMounter
    private var reading: Task<Void, Never>?
    /// Those that are shown; none for the built-in pictures.
    private(set) var sources: [PictureSource] = []
    /// Those that the next start shows again; nil to leave that as it is.
    private(set) var remembered: [PictureSource]?
    /// What is shown where a link leads to no picture.
    let previews = Previews()

    init(_ window: GalleryWindow, loader: any ImageLoader, failed: @escaping (String) -> Void) {
        self.window = window
        self.loader = loader
        self.failed = failed
        mounter = VolumeMounter(window.window)
        window.dropped = { [weak self] in
            // What was looked for is not in other pictures.
            self?.window.header.endSearch()
            self?.show($0)
        }
        window.refreshed = { [weak self] in self?.refresh() }
        window.closed = { [weak self] in self?.end() }
    }

    private func end() {
        reading?.cancel()
        mounter.keep([])
    }

    /// Shows the pictures of sources, in place of all others.
    ///
    /// - Parameters:
    ///   - isRemembered: Whether the next start shows them again.
    ///   - top: The picture that is at the top; nil for the first one.
    func show(_ sources: [PictureSource], isRemembered: Bool = true, top: URL? = nil) {
        self.sources = sources
        window.top = top
        remembered = isRemembered ? sources : nil
        window.changed()
        read()
    }

    /// Reads the sources again, and loads their pictures again. The disk keeps nothing of files, so that it is emptied for
    /// pictures of the web only.
    private func refresh() {
        let isOfWeb = window.shelf.all.contains { $0.url.isOfWeb }
        reading?.cancel()
        reading = Task { [weak self, cache = window.cache] in
            await cache.clear(isOfWeb ? .all : .memory)
            guard let self, !Task.isCancelled else { return }
            if sources.isEmpty { window.reload() } else { read() }
        }
    }

    private func read() {
        let title = sources.count == 1 ? sources[0].title : "\(sources.count) places"
        mounter.keep(sources.map(\.address))
        let reader = SourceReader(loader: loader, mounter: mounter)
        let sources = sources
        window.reading = title
        reading?.cancel()
        reading = Task { [weak self] in
            let found = await reader.read(sources)
            guard !Task.isCancelled else { return }
            self?.show(found, from: title)
        }
    }

    private func show(_ found: FoundPictures, from title: String) {
        for complaint in found.complaints { complain(complaint) }
        previews.set(found.pictures)
        let items = found.pictures.enumerated().map { GalleryItem($1, number: $0) }
        let problem = items.isEmpty ? found.complaints.first ?? "\(title): there are no pictures" : nil
        window.show(items, from: title, message: problem)
        fillPages(items)
        if let problem { failed(problem) }
    }

    private func fillPages(_ items: [GalleryItem]) {
        window.pages.fill(.hashes) {
            let result = await PlaceQueue.sources.run { cancellable throws(SourceProblem) in
                HashedItems.items(of: items, cancellable)
            }
            return (try? result.get()) ?? []
        }
        window.pages.fill(.animations) { AnimatedItems.items(of: items) }
    }

    /// Shows the built-in pictures.
    func show(_ origin: GalleryOrigin, from title: String) {
        reading?.cancel()
        window.show(origin.urls, from: title)
        let pictures = origin.pictures.suffix(HashedItems.count)
        let pages = window.pages
        pages.fill(.hashes) { await Task.detached { HashedItems.items(of: Array(pictures)) }.value }
        pages.fill(.animations) { await Task.detached { AnimatedItems.items(of: origin.serveAnimations()) }.value }
    }
}
