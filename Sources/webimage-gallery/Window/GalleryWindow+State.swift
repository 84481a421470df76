import WebImage

/// The remembered state of the window.
extension GalleryWindow {
    /// The limit of the cache on disk.
    var diskLimit: DiskLimit {
        get { DiskLimit.allCases.first { $0.byteCount == cache.config.maxDiskSize } ?? .standard }
        set {
            cache.config.maxDiskSize = newValue.byteCount
            changed()
        }
    }

    /// The first page has been scrolled.
    func noteTop() {
        let (first, seen) = (grid.items.first, grid.firstVisible)
        top = seen?.number == first?.number ? nil : seen?.url
        changed()
    }

    /// The state with which the next start begins, and the sources of its pictures.
    func state(sources: [PictureSource]) -> GalleryState {
        var state = GalleryState()
        (state.sources, state.top) = (sources, top)
        (state.order, state.transition, state.diskLimit) = (order, transition, diskLimit)
        (state.width, state.height, state.isMaximized) = (size.width, size.height, isMaximized)
        return state
    }
}
