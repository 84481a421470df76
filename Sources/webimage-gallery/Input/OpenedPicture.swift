import FoundationEssentials
import WebImage

/// The picture that the program is to open, as a file manager asks for it. It is loaded at once.
struct OpenedPicture {
    let picture: FoundPicture
    let photo: Photo

    /// - Parameters:
    ///   - sources: Those of the command line.
    ///   - size: That of the window: its page is a little smaller.
    /// - Returns: nil unless there is one source, a picture in a file of this machine. Others are looked at later, since
    ///   that may take long.
    init?(_ sources: [PictureSource], _ manager: WebImageManager, size: (width: Int, height: Int)) {
        guard sources.count == 1, case .place(let uri) = sources[0], URL(string: uri)?.isFileURL == true,
            let found = try? PlaceFile.picture(at: uri, Cancellable()), found.isFile,
            let picture = found.pictures.first
        else { return nil }
        self.picture = picture
        photo = Photo(of: GalleryItem(picture, number: 0), WebImageContext(ofGallery: manager))
        photo.loadUnderlyingImage(covering: PixelSize(width: size.width, height: size.height))
    }
}
