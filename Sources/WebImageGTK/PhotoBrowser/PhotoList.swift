import WebImage

/// The photos of a list.
final class PhotoList: PhotoBrowserDataSource {
    private let photos: [Photo]

    init(_ photos: [Photo]) { self.photos = photos }

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { photos.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? {
        photos.indices.contains(index) ? photos[index] : nil
    }
}
