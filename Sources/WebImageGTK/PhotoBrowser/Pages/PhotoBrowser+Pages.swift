import CGtk4
import WebImage

/// The answers to the pages, and to their news.
extension PhotoBrowser: BrowserPagesDelegate {
    func indexHasChanged(to index: Int) {
        delegate?.photoBrowser(self, didDisplayPhotoAt: index)
        // A neighbour is loaded before its page is turned to.
        if let page = pages.deck.current, !page.photo.isLoading, page.told == nil { announce(page) }
        pages.stopVideo()
        ownCaption = nil
        pages.updateStatus()
        updateControls()
        panels.grid?.currentHasChanged()
    }

    /// The order is that of MWPhotoBrowser: the page shows the picture, the neighbours load, the delegate hears of it, and
    /// the controls follow.
    func loadingDidEnd(on page: PhotoPage) {
        if pages.deck.position.visible.contains(page.index) { announce(page) }
        guard page === pages.deck.current else { return }
        // A sharper decode that has failed is tried again only when the person zooms.
        if page.photo.error == nil { pages.deck.sharpen() }
        pages.updateStatus()
        updateControls()
    }

    /// Tells the delegate of the first picture on a page that is seen, and of a page without one. A picture that has only
    /// become sharper, or could not, is no news.
    private func announce(_ page: PhotoPage) {
        if page.hasPicture {
            guard page.told != .loaded, page.photo.isComplete, page.photo.error == nil else { return }
            page.told = .loaded
            delegate?.photoBrowser(self, didLoadPhotoAt: page.index, zoomScale: page.zoom.scale)
        } else if page.told != .failed, let error = page.photo.error, !page.photo.isEmpty {
            page.told = .failed
            delegate?.photoBrowser(self, didFailToLoadPhotoAt: page.index, error: error)
        }
    }

    func message(for error: WebImageError, at index: Int) -> String {
        delegate?.photoBrowser(self, messageFor: error, at: index) ?? "\(error)"
    }

    /// The controls that a flight has hidden come back when it is over.
    func movementHasChanged() { panels.applyVisibility() }

    // MARK: Thumbnails

    func thumbnail(at index: Int) -> PageThumbnail? {
        let page = pages.deck.pages[index]?.photo
        let photo = photos.thumbnail(at: index)
        let view = thumbnailView(at: index)
        if let image = photo?.underlyingImage ?? photo?.imageFromMemory ?? panels.grid?.cell(at: index)?.view.image {
            let isShown = view?.image?.bitmap === image.bitmap
            return PageThumbnail(image, from: photo?.url ?? (isShown ? view?.currentImageURL : nil), for: page)
        }
        if let view, let image = view.image { return PageThumbnail(image, from: view.currentImageURL, for: page) }
        if let place = screen.thumbnail(at: index), let image = place.image {
            return PageThumbnail(image, from: place.url, for: page)
        }
        // The thumbnail as memory has it, or the photo itself in a size that nothing shows now.
        for known in [photo, page] {
            if let image = known?.imageOfAnySizeFromMemory { return PageThumbnail(image, from: known?.url, for: page) }
        }
        return nil
    }

    /// Looks for a thumbnail in the caches, which may have its file or another size of it. Nothing is transferred: that
    /// would delay the photo.
    func findThumbnail(at index: Int, _ found: @escaping @MainActor (PageThumbnail) -> Void) -> LoadOperation? {
        let pixels = pages.deck.pixels
        guard let photo = photos.thumbnail(at: index), let url = photo.url, !pixels.isEmpty else { return nil }
        var context = photo.context
        if context.thumbnailPixelSize == nil { context.thumbnailPixelSize = pixels }
        let request = ImageRequest(url, options: photo.options.union(.fromCacheOnly), context: context)
        return (photo.context.manager ?? .shared).load(request) { [weak self] result in
            MainActor.assumeIsolated {
                guard let self, let image = try? result.get().image else { return }
                found(PageThumbnail(image, from: url, for: self.pages.deck.pages[index]?.photo))
            }
        }
    }
}
