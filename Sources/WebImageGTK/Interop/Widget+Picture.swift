import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// The target for pictures of the widget itself; nil for all but `GtkPicture` and `GtkImage`.
    var picturePlace: (any PaintableTarget)? {
        if isA(gtk_picture_get_type()) { return PictureTarget(widget: self) }
        if isA(gtk_image_get_type()) { return IconTarget(ImageHolder(widget: self)) }
        return nil
    }

    /// The first descendant, this widget included, that shows a picture: a `GtkPicture` or, if wanted, a `GtkImage`.
    func firstPicture(orImage: Bool) -> UnsafeMutablePointer<GtkWidget>? {
        if isA(gtk_picture_get_type()) || orImage && isA(gtk_image_get_type()) { return self }
        return children.lazy.compactMap { $0.firstPicture(orImage: orImage) }.first
    }
}
