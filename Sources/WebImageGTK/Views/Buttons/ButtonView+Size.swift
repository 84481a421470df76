import WebImage

/// The size of a button's pictures within the button, and the way they fit into it.
extension ButtonView {
    /// The exact size of the pictures of all states, in points, otherwise as ``PictureView/fixedSize``; nil, the
    /// default, for the size that the picture and the button have. Setting it creates ``imageWidget``. A picture beside
    /// a label is in a `GtkPicture` while it has a fixed size, and in a `GtkImage` otherwise.
    ///
    /// ```swift
    /// button.fixedSize = PointSize(width: 48, height: 48)
    /// ```
    /// Backgrounds cover the button and have no size of their own: of a background's view it is nil, and setting it
    /// does nothing.
    public var fixedSize: PointSize? {
        get { isBackground ? nil : ButtonContents.of(widget).fixedSize }
        nonmutating set { if !isBackground { ButtonContents.of(widget).fixedSize = newValue } }
    }

    /// The way the pictures of all states fit into their place, by default ``ContentFit/contain``; of a background's
    /// view, that of all backgrounds, by default ``ContentFit/fill``. A `GtkImage` always contains its picture: it
    /// ignores it.
    ///
    /// ```swift
    /// button.backgroundView(for: .normal).contentFit = .cover
    /// ```
    public var contentFit: ContentFit {
        get { (isBackground ? backgroundWidget : imageWidget)?.pictureFit ?? .contain }
        nonmutating set {
            if isBackground {
                backgroundWidget?.pictureFit = newValue
            } else {
                ButtonContents.of(widget).contentFit = newValue
            }
        }
    }
}
