import FoundationEssentials
import WebImage

/// Brings pictures into the window: built-in ones, those of a list on a server, or those of sources.
final class GalleryContents {
    private let window: GalleryWindow
    private let reader: SourceReader
    /// Called with a sentence when there is nothing to be shown.
    private let failed: (String) -> Void
    private var reading: Task<Void, Never>?
    /// Those that are shown; none for built-in pictures and lists of `--origin`.
    private(set) var sources: [PictureSource] = []

    init(_ window: GalleryWindow, loader: any ImageLoader, failed: @escaping (String) -> Void) {
        self.window = window
        reader = SourceReader(loader: loader)
        self.failed = failed
        window.dropped = { [weak self] in self?.show($0) }
    }

    /// Shows the pictures of sources, in place of all others.
    func show(_ sources: [PictureSource]) {
        self.sources = sources
        let title = sources.count == 1 ? sources[0].title : "\(sources.count) places"
        window.announce("reading \(title)…")
        reading?.cancel()
        reading = Task { [weak self, reader] in
            let found = await reader.read(sources)
            guard !Task.isCancelled else { return }
            self?.show(found, from: title)
        }
    }

    private func show(_ found: FoundPictures, from title: String) {
        for complaint in found.complaints { complain(complaint) }
        guard !found.pictures.isEmpty else {
            let complaint = found.complaints.first ?? "\(title): there are no pictures"
            window.show([], from: title, message: complaint)
            return failed(complaint)
        }
        window.show(found.pictures.enumerated().map { GalleryItem($1, number: $0) }, from: title)
        fillPages(found.pictures.map(\.url))
    }

    private func fillPages(_ urls: [URL]) {
        let last = Array(urls.suffix(HashedItems.count))
        window.fill(.hashes) { HashedItems.items(of: last) }
        window.fill(.animations) { AnimatedItems.items(ofRemote: urls) }
    }

    /// Shows the built-in pictures.
    func show(_ origin: GalleryOrigin, from title: String) {
        window.show(origin.urls, from: title)
        let pictures = origin.pictures.suffix(HashedItems.count)
        window.fill(.hashes) { await Task.detached { HashedItems.items(of: Array(pictures)) }.value }
        window.fill(.animations) { await Task.detached { AnimatedItems.items(of: origin.serveAnimations()) }.value }
    }

    /// Shows the pictures that a list names.
    func show(list address: String) {
        RemoteList(address: address).load { result in
            MainActor.assumeIsolated {
                switch result {
                case .success(let list):
                    for line in list.refused { complain("\(address): this is not an address: \(line)") }
                    self.window.show(list.urls, from: address)
                    self.fillPages(list.urls)
                case .failure(let failure): self.failed(failure.message)
                }
            }
        }
    }
}
