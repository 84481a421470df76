import FoundationEssentials
import WebImage

/// Follows the files and folders of a window: what comes, goes or changes in them is seen a moment later, in the grid and on
/// the page of a picture.
final class FolderFollowing {
    private unowned let contents: GalleryContents
    private var watch: FileWatch?
    private var rereading: Task<Void, Never>?
    /// Whether something has changed during a reading, which may have missed it.
    private var hasChanged = false

    /// Each of them is looked at after each change.
    private static let sourceLimit = 1000

    init(_ contents: GalleryContents) {
        self.contents = contents
        watch = FileWatch { [weak self] in self?.note() }
    }

    /// The sources are about to be read.
    func begin(_ sources: [PictureSource]) {
        end()
        let places = sources.filter(\.isPlace)
        if places.count <= Self.sourceLimit { watch?.add(places.map(\.address)) }
    }

    /// Nothing is followed any more.
    func end() {
        watch?.stop()
        rereading?.cancel()
        (rereading, hasChanged) = (nil, false)
    }

    /// The sources have been read: the folders of their files are followed, too.
    func follow(_ found: [FoundPictures]) {
        guard contents.sources.count(where: \.isPlace) <= Self.sourceLimit else { return }
        let files = found.flatMap(\.pictures).map(\.url.absoluteString).filter { $0.hasPrefix("file:") }
        // Something may have changed in a folder since it was read.
        if watch?.add(Set(files.map(\.droppingLastPart))) == true || hasChanged { note() }
    }

    private func note() {
        hasChanged = true
        if contents.window.reading == nil, rereading == nil { read() }
    }

    /// Files are read again, and the web is not.
    private func read() {
        hasChanged = false
        let places = contents.sources.enumerated().filter { $1.isPlace }
        let reader = SourceReader(loader: contents.loader)
        rereading = Task { [weak self] in
            let again = await reader.read(each: places.map(\.element))
            guard let self, !Task.isCancelled else { return }
            rereading = nil
            for (place, found) in zip(places, again) { contents.found[place.offset] = found }
            show(problem: again.flatMap(\.complaints).first)
            if hasChanged { note() }
        }
    }

    private func show(problem: String?) {
        let (window, items) = (contents.window, contents.makeItems())
        let former = Dictionary(window.shelf.all.map { ($0.url, $0.stamp) }) { first, _ in first }
        let changed = items.filter { item in former[item.url].map { $0 != item.stamp } ?? false }.map(\.url)
        guard !changed.isEmpty || window.shelf.all.map(\.url) != items.map(\.url) else { return }
        for url in changed { forget(url) }
        let message = items.isEmpty ? problem ?? "\(contents.title): there are no pictures" : nil
        window.update(items, from: contents.title, message: message, changed: Set(changed))
        for (page, items) in contents.makings(of: items) { window.pages.prepare(page, with: items) }
    }

    /// The caches have the former file, and the manager knows that it has failed.
    private func forget(_ url: URL) {
        let manager = contents.window.manager
        manager.removeFailedURL(url)
        contents.window.cache.remove(for: manager.cacheKey(for: url), from: .all, completion: nil)
    }
}
