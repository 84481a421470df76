import CGtk4
import WebImage

/// The `content-fit` of a `GtkPicture`.
extension ContentFit {
    init(_ fit: GtkContentFit) {
        self =
            switch fit {
            case GTK_CONTENT_FIT_FILL: .fill
            case GTK_CONTENT_FIT_COVER: .cover
            case GTK_CONTENT_FIT_SCALE_DOWN: .scaleDown
            default: .contain
            }
    }

    var ofPictures: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The way the picture fits into a `GtkPicture`; any other widget contains it.
    var pictureFit: ContentFit {
        get { isA(gtk_picture_get_type()) ? ContentFit(gtk_picture_get_content_fit(OpaquePointer(self))) : .contain }
        nonmutating set {
            if isA(gtk_picture_get_type()) { gtk_picture_set_content_fit(OpaquePointer(self), newValue.ofPictures) }
        }
    }
}
