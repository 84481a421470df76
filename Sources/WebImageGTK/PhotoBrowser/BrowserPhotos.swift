import WebImage

/// The photos that the data source of a browser has brought. It is asked once for each photo, until that is forgotten;
/// only pictures are not kept, because all of them would stay in memory.
final class BrowserPhotos {
    private unowned let browser: PhotoBrowser
    private var knownCount: Int?
    /// nil where the data source has no thumbnail.
    private var thumbnails: [Int: Photo?] = [:]
    private var photos: [Int: Photo] = [:]

    init(_ browser: PhotoBrowser) { self.browser = browser }

    isolated deinit { forgetPhotos() }

    var count: Int {
        if let knownCount { return knownCount }
        let count = max(0, browser.dataSource?.numberOfPhotos(in: browser) ?? 0)
        knownCount = count
        return count
    }

    /// The index, or that of the last photo where it is too large, as far as their number is known.
    func clamped(_ index: Int) -> Int { min(index, max(0, (knownCount ?? .max) - 1)) }

    /// The photo that the data source has for an index; nil for none.
    func photo(at index: Int) throws -> Photo? {
        if let photo = photos[index], photo.error == nil { return photo }
        let photo = try browser.dataSource?.photoBrowser(browser, photoAt: index)
        photos[index] = photo?.isPicture == true ? nil : photo
        return photo
    }

    /// The photo of a page: an empty one where the data source has none, and one that fails where it has thrown. nil
    /// without a data source.
    func pagePhoto(at index: Int) -> Photo? {
        guard browser.dataSource != nil else { return nil }
        do {
            return try photo(at: index) ?? Photo(.empty)
        } catch {
            let standIn = Photo(.closure { throw error })
            standIn.isStandIn = true
            return standIn
        }
    }

    /// The thumbnail of an index; nil where the data source has none.
    func thumbnail(at index: Int) -> Photo? {
        if let photo = thumbnails[index] { return photo }
        let photo = browser.dataSource?.photoBrowser(browser, thumbPhotoAt: index)
        if photo?.isPicture != true { thumbnails[index] = .some(photo) }
        return photo
    }

    /// The data source is asked again for the photos that are needed, but not for their number.
    func forgetPhotos() {
        for photo in thumbnails.values { photo?.cancelAnyLoading() }
        thumbnails = [:]
        photos = [:]
    }

    func forgetAll() {
        knownCount = nil
        forgetPhotos()
    }
}
