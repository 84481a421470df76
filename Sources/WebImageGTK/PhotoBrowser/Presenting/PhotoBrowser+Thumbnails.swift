import WebImage

/// The pictures that stand for photos until those are there.
extension PhotoBrowser {
    /// The thumbnail of a photo in whatever size, where it is on the screen or in memory.
    func thumbnail(at index: Int) -> PageThumbnail? {
        let page = deck.pages[index]?.photo
        let photo = photos.thumbnail(at: index)
        let view = dataSource?.photoBrowser(self, thumbnailViewAt: index)
        if let image = photo?.underlyingImage ?? photo?.imageFromMemory ?? grid?.cell(at: index)?.view.image {
            let isShown = view?.image?.bitmap === image.bitmap
            return PageThumbnail(image, from: photo?.url ?? (isShown ? view?.currentImageURL : nil), for: page)
        }
        if let view, let image = view.image { return PageThumbnail(image, from: view.currentImageURL, for: page) }
        if let place = presentation?.thumbnail, presentation?.firstIndex == index, let image = place.image {
            return PageThumbnail(image, from: place.url, for: page)
        }
        return thumbnailFromMemory(photo, page)
    }

    /// The thumbnail as memory has it, or the photo itself in a size that nothing shows now.
    private func thumbnailFromMemory(_ thumbnail: Photo?, _ photo: Photo?) -> PageThumbnail? {
        for known in [thumbnail, photo] {
            if let image = known?.imageOfAnySizeFromMemory { return PageThumbnail(image, from: known?.url, for: photo) }
        }
        return nil
    }

    /// Looks for a thumbnail in the caches, which may have its file or another size of it. Nothing is transferred: that
    /// would delay the photo.
    func findThumbnail(at index: Int, _ found: @escaping @MainActor (PageThumbnail) -> Void) -> LoadOperation? {
        guard let photo = photos.thumbnail(at: index), let url = photo.url, !deck.pixels.isEmpty else { return nil }
        var context = photo.context
        if context.thumbnailPixelSize == nil { context.thumbnailPixelSize = deck.pixels }
        let request = ImageRequest(url, options: photo.options.union(.fromCacheOnly), context: context)
        return (photo.context.manager ?? .shared).load(request) { [weak self] result in
            MainActor.assumeIsolated {
                guard let self, let image = try? result.get().image else { return }
                found(PageThumbnail(image, from: url, for: self.deck.pages[index]?.photo))
            }
        }
    }
}
