import FoundationEssentials
import WebImage

/// Brings pictures into the window: built-in ones, or those of sources. What is shown last takes the place of all that is
/// still being read.
final class GalleryContents {
    let window: GalleryWindow
    let loader: any ImageLoader
    /// Called with a sentence when there is nothing to be shown.
    private let failed: (String) -> Void
    private let mounter: VolumeMounter
    private var reading: Task<Void, Never>?
    /// For the picture that is opened.
    private var waiting: DelayedCall?
    /// Those that are shown; none for the built-in pictures.
    private(set) var sources: [PictureSource] = []
    /// The pictures of each source.
    var found: [FoundPictures] = []
    /// The sources for people.
    private(set) var title = ""
    /// Those that the next start shows again; nil to leave that as it is.
    private(set) var remembered: [PictureSource]?
    /// Whether the window has something of the sources: what comes later takes its place beside that.
    private var isShown = false
    /// Whether a source that is a picture is shown large, among those of its folder.
    private var opensPicture = false
    /// The pictures to show for a link that leads to no picture.
    let previews = Previews()
    /// Reads files again when they change.
    private(set) var following: FolderFollowing?

    init(_ window: GalleryWindow, loader: any ImageLoader, failed: @escaping (String) -> Void) {
        self.window = window
        self.loader = loader
        self.failed = failed
        mounter = VolumeMounter(window.window)
        following = FolderFollowing(self)
        window.dropped = { [weak self] in
            // A search in the former pictures does not apply to others.
            self?.window.header.endSearch()
            self?.show($0)
        }
        window.refreshed = { [weak self] in self?.refresh() }
        window.closed = { [weak self] in self?.end() }
    }

    private func end() {
        reading?.cancel()
        following?.end()
        mounter.keep([])
    }

    /// Shows the pictures of sources, in place of all others.
    ///
    /// - Parameters:
    ///   - isRemembered: Whether the next start shows them again.
    ///   - top: The picture that is at the top; nil for the first one.
    ///   - opensPicture: Whether a single source that is a picture is shown large, among those of its folder.
    func show(
        _ sources: [PictureSource], isRemembered: Bool = true, top: URL? = nil, opensPicture: Bool = false
    ) {
        begin(sources, sources.count == 1 ? sources[0].title : "\(sources.count) places")
        self.opensPicture = opensPicture && sources.count == 1
        window.top = top
        remembered = isRemembered ? sources : nil
        window.changed()
        read()
    }

    /// Shows a picture large, and then those of its folder around it. That is a look at one picture: what the next start
    /// shows stays as it is.
    ///
    /// - Parameter photo: The same picture, where it is being loaded already: its folder is read when it is there.
    func open(_ picture: FoundPicture, _ photo: Photo? = nil) {
        let file = PictureSource.place(picture.url.absoluteString)
        let folder = PictureSource.place(picture.url.absoluteString.droppingLastPart)
        // The folder has most pictures, but not one whose name does not say that it is one.
        begin([folder, file], folder.title)
        remembered = nil
        isShown = true
        window.top = nil
        window.open(GalleryItem(picture, number: 0), photo)
        window.reading = title
        if let photo, photo.isLoading { readFolder(after: photo) } else { read() }
    }

    /// The cells of a folder must not keep the first picture waiting, nor a picture that does not come its folder.
    private func readFolder(after photo: Photo) {
        waiting = DelayedCall(after: Self.patience) { [weak self, weak photo] in self?.endWaiting(for: photo) }
        waiting?.start()
        photo.observe(as: self) { [weak self, weak photo] update in
            if case .loadingDidEnd = update { self?.endWaiting(for: photo) }
        }
    }

    private func endWaiting(for photo: Photo?) {
        photo?.stopObserving(as: self)
        guard waiting != nil else { return }
        waiting = nil
        read()
    }

    private static let patience = Duration.seconds(1)

    private func begin(_ sources: [PictureSource], _ title: String) {
        (self.sources, self.title, isShown, opensPicture) = (sources, title, false, false)
        waiting = nil
        reading?.cancel()
        following?.end()
    }

    /// Reads the sources again, and loads their pictures again. The disk keeps nothing of files, so that it is emptied for
    /// pictures of the web only.
    private func refresh() {
        let isOfWeb = window.shelf.all.contains { $0.url.isOfWeb }
        reading?.cancel()
        window.manager.removeAllFailedURLs()
        reading = Task { [weak self, cache = window.cache] in
            await cache.clear(isOfWeb ? .all : .memory)
            guard let self, !Task.isCancelled else { return }
            if sources.isEmpty { window.reload() } else { read(isRefresh: true) }
        }
    }

    /// - Parameter isRefresh: Whether pictures that are shown already are loaded again.
    private func read(isRefresh: Bool = false) {
        mounter.keep(sources.map(\.address))
        let reader = SourceReader(loader: loader, mounter: mounter)
        let sources = sources
        found = sources.map { _ in FoundPictures() }
        window.reading = title
        following?.begin(sources)
        reading?.cancel()
        reading = Task { [weak self] in
            let all = await reader.read(each: sources) { [weak self] number, part in
                await self?.show(part, of: number, among: sources)
            }
            if !Task.isCancelled { self?.show(all, isRefresh: isRefresh) }
        }
    }

    /// A page is still arriving.
    private func show(_ part: FoundPictures, of number: Int, among sources: [PictureSource]) {
        guard sources == self.sources, window.reading != nil, !part.pictures.isEmpty else { return }
        found[number] = part
        let items = makeItems()
        // The picture at the top may still come.
        if !isShown, let top = window.top, !items.contains(where: { $0.url == top }) { return }
        show(items, problem: nil)
        window.reading = title
    }

    private func show(_ all: [FoundPictures], isRefresh: Bool) {
        if opensPicture, all[0].isFile, let picture = all[0].pictures.first { return open(picture) }
        found = all
        let complaints = all.flatMap(\.complaints)
        for complaint in complaints { complain(complaint) }
        let items = makeItems()
        let problem = items.isEmpty ? complaints.first ?? "\(title): there are no pictures" : nil
        show(items, problem: problem, changed: isRefresh ? Set(items.map(\.url)) : [])
        fillPages(items)
        following?.follow(all)
        if let problem { failed(problem) }
    }

    /// The pictures that were found, in their order.
    func makeItems() -> [GalleryItem] {
        let pictures = FoundPictures(found).pictures
        previews.set(pictures)
        return pictures.enumerated().map { GalleryItem($1, number: $0) }
    }

    private func show(_ items: [GalleryItem], problem: String?, changed: Set<URL> = []) {
        if isShown {
            window.update(items, from: title, message: problem, changed: changed)
        } else {
            window.show(items, from: title, message: problem)
        }
        isShown = true
    }

    private func fillPages(_ items: [GalleryItem]) {
        for (page, items) in makings(of: items) { window.pages.fill(page, with: items) }
    }

    /// The items of the other pages, made when they are shown.
    func makings(of items: [GalleryItem]) -> [GalleryPage: () async -> [GalleryItem]] {
        [
            .hashes: {
                let result = await PlaceQueue.sources.run { cancellable throws(SourceProblem) in
                    HashedItems.items(of: items, cancellable)
                }
                return (try? result.get()) ?? []
            },
            .animations: { AnimatedItems.items(of: items) },
        ]
    }

    /// Shows the built-in pictures.
    func show(_ origin: GalleryOrigin, from title: String) {
        begin([], title)
        window.show(origin.urls, from: title)
        let pictures = origin.pictures.suffix(HashedItems.count)
        let pages = window.pages
        pages.fill(.hashes) { await Task.detached { HashedItems.items(of: Array(pictures)) }.value }
        pages.fill(.animations) { await Task.detached { AnimatedItems.items(of: origin.serveAnimations()) }.value }
    }
}
