import WebImage

/// How pictures arrive. These belong to the widget: all of its places share them.
extension WidgetView {
    /// How a picture that had to be waited for takes the place of what the view showed; nil, the default, for at once.
    ///
    /// ```swift
    /// PictureView(picture).imageTransition = .fade
    /// ```
    /// Pictures from the network and from the disk get it. A picture from memory does not, and one from a disk that was
    /// read at once (`queryDiskDataSync`, `queryMemoryDataSync`): they are there when the call returns.
    /// `WebImageOptions.forceTransition` gives it to them, too. Without effect on parts of a picture, on placeholders and
    /// where nobody could see it.
    public var imageTransition: WidgetTransition? {
        get { loads.transition }
        nonmutating set { loads.transition = newValue }
    }

    /// What lies over the widget while pictures are on their way; nil by default. Setting it removes the one before it.
    ///
    /// ```swift
    /// PictureView(picture).imageIndicator = CircularProgressIndicator.large
    /// ```
    /// It lies over a `GtkPicture`, a `GtkImage`, a `GtkOverlay` and widgets with one child, such as buttons, frames and
    /// rows. Over others it cannot lie, and a warning says so once: put those into a `GtkOverlay`, and the indicator over
    /// that. While it is visible, `gtk_picture_get_paintable` and `gtk_image_get_paintable` answer with the picture and
    /// the indicator together.
    public var imageIndicator: (any WebImageIndicator)? {
        get { Coordinator.of(widget).surface.indicator }
        nonmutating set { Coordinator.of(widget).setIndicator(newValue, over: slot.target?.base) }
    }

    /// What assistive technologies call the widget, or the icon of an entry that the view is. nil, the default, is the name
    /// of the picture's file, the last part of its URL: for `GtkPicture` and `GtkImage`, for buttons without text, by the
    /// picture of their normal state, and for the icons of entries. An empty text suits pictures that only decorate.
    ///
    /// A widget that the app has named or described itself, such as by `gtk_picture_set_alternative_text`, is left so, and
    /// an icon with a tooltip.
    public var imageAccessibleLabel: String? {
        get { Coordinator.of(widget).surface.accessibleName(of: self)?.label }
        nonmutating set { Coordinator.of(widget).surface.accessibleName(of: self)?.label = newValue }
    }

    /// How parts of a picture that loads progressively, and a cached one while it is refreshed, are shown: by default each
    /// in place of the one before it, so that a picture grows from top to bottom.
    public var progressiveDisplay: ProgressiveDisplay {
        get { Coordinator.of(widget).surface.progressiveDisplay }
        nonmutating set { Coordinator.of(widget).surface.progressiveDisplay = newValue }
    }
}
