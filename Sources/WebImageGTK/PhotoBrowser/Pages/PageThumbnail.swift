import FoundationEssentials
import WebImage

/// A picture that stands for a photo on its page until that is there.
struct PageThumbnail {
    let image: Image
    /// Whether it was decoded from the photo's own file: then it says how large the photo is. A thumbnail that has an
    /// address of its own says nothing about that but its shape.
    let isOfPhoto: Bool

    /// - Parameter url: Where the thumbnail comes from; nil where that is not known.
    init(_ image: Image, from url: URL?, for photo: Photo?) {
        self.image = image
        isOfPhoto = url != nil && url == photo?.url
    }

    /// The size of the photo in points, as far as the thumbnail says it: a transformed one may be cut.
    var photoSize: PointSize? {
        let metadata = image.metadata
        guard isOfPhoto, !metadata.isTransformed, metadata.isThumbnail, let size = metadata.originalPixelSize
        else { return nil }
        return size.points(at: image.scale)
    }
}
