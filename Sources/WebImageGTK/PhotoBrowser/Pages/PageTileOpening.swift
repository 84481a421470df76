import WebImage

/// Opens the file of a page's photo to draw it by tiles. Where its format cannot be read in parts, the picture stays as it
/// is.
final class PageTileOpening {
    private enum State {
        case none
        case opening(Task<Void, Never>)
        case open(PageTiles)
        /// The file cannot be read in parts.
        case impossible
    }

    private let photo: Photo
    private var state = State.none
    weak var page: PhotoPage?

    init(_ photo: Photo) { self.photo = photo }

    /// The sharp parts of the picture; nil while the file is not open.
    var tiles: PageTiles? { if case .open(let tiles) = state { tiles } else { nil } }
    var isOpening: Bool { if case .opening = state { true } else { false } }
    /// Whether the file may be read in tiles.
    var isPossible: Bool { if case .impossible = state { false } else { photo.hasTiles } }

    func open() {
        guard case .none = state, photo.hasTiles else { return }
        if let tiled = photo.takeTiles() { return show(tiled) }
        state = .opening(
            Task { [weak self, photo] in
                let result: Result<TiledImage, WebImageError>
                do throws(WebImageError) {
                    result = .success(try await photo.openTiles(over: photo.isComplete ? photo.underlyingImage : nil))
                } catch {
                    result = .failure(error)
                }
                if let self, !Task.isCancelled { end(result) }
            })
    }

    private func end(_ result: Result<TiledImage, WebImageError>) {
        switch result {
        case .success(let tiled): show(tiled)
        case .failure(let error) where error.kind == .permanent: giveUp()
        case .failure: state = .none
        }
    }

    private func show(_ tiled: TiledImage) {
        state = .open(
            PageTiles(
                tiled, changed: { [weak self] in self?.page?.changed() }, failed: { [weak self] in self?.giveUp() }))
        page?.changed()
    }

    private func giveUp() {
        state = .impossible
        page?.deck?.sharpen()
    }

    /// Closes the file, and opens it no more where that has begun.
    func close() {
        switch state {
        case .opening(let task):
            task.cancel()
            state = .none
        case .open: state = .none
        case .none, .impossible: break
        }
    }
}
