import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// Where the widget itself shows a picture; nil for all but `GtkPicture` and `GtkImage`.
    var picturePlace: (any PaintableTarget)? {
        if isA(gtk_picture_get_type()) { return PictureTarget(widget: self) }
        if isA(gtk_image_get_type()) { return IconTarget(ImageHolder(widget: self)) }
        return nil
    }

    /// The first widget that shows a picture, from this one downwards: a `GtkPicture` or, if wanted, a `GtkImage`.
    func firstPicture(orImage: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        if isA(gtk_picture_get_type()) || orImage && isA(gtk_image_get_type()) { return self }
        return children.lazy.compactMap { $0.firstPicture(orImage: orImage) }.first
    }
}
