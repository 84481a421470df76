import WebImage

/// Settings for new pictures. They belong to the widget and apply to all its places.
extension WidgetView {
    /// The transition to a picture that did not come from memory; nil, the default, shows it at once.
    ///
    /// ```swift
    /// PictureView(picture).imageTransition = .fade
    /// ```
    /// It applies to pictures from the network and from the disk. A picture from memory, or from a disk read on the
    /// calling thread (`queryDiskDataSync`, `queryMemoryDataSync`), shows at once, before the call returns;
    /// `WebImageOptions.forceTransition` applies the transition to these as well. Partial pictures, placeholders and
    /// invisible views have no transition.
    public var imageTransition: WidgetTransition? {
        get { loads.transition }
        nonmutating set { loads.transition = newValue }
    }

    /// The way placeholders and error pictures fit into the view; ``PlaceholderContentFit/automatic`` by default.
    ///
    /// ```swift
    /// PictureView(picture).contentFit = .cover
    /// PictureView(picture).placeholderContentFit = .always(.scaleDown)
    /// ```
    public var placeholderContentFit: PlaceholderContentFit {
        get { Coordinator.of(widget).surface.placeholderFit }
        nonmutating set { Coordinator.of(widget).surface.placeholderFit = newValue }
    }

    /// The indicator over the widget while pictures are being loaded; nil by default. Setting it removes the former
    /// one.
    ///
    /// ```swift
    /// PictureView(picture).imageIndicator = CircularProgressIndicator.large
    /// ```
    /// It can lie over a `GtkPicture`, a `GtkImage`, a `GtkOverlay` and widgets with one child, such as buttons, frames
    /// and rows. For any other widget a warning says once that it cannot: put such a widget into a `GtkOverlay`, and
    /// the indicator over that. While the indicator is visible, `gtk_picture_get_paintable` and
    /// `gtk_image_get_paintable` return the picture and the indicator together.
    public var imageIndicator: (any WebImageIndicator)? {
        get { Coordinator.of(widget).surface.indicator }
        nonmutating set { Coordinator.of(widget).setIndicator(newValue, over: slot.target?.base) }
    }

    /// The accessible label of the widget, or of the entry icon that the view represents. nil, the default, uses the
    /// file name of the picture, the last part of its URL, for `GtkPicture` and `GtkImage`, for buttons without text
    /// (from the picture of their normal state), and for the icons of entries. An empty text suits decorative pictures.
    ///
    /// A label or description that the app has set itself, for instance by `gtk_picture_set_alternative_text`, stays,
    /// and so does an icon's tooltip.
    public var imageAccessibleLabel: String? {
        get { Coordinator.of(widget).surface.accessibleName(of: self)?.label }
        nonmutating set { Coordinator.of(widget).surface.accessibleName(of: self)?.label = newValue }
    }

    /// The way partial pictures of a progressive load, and a cached picture while it is refreshed, are shown: by
    /// default each replaces the one before it, so that a picture grows from top to bottom.
    public var progressiveDisplay: ProgressiveDisplay {
        get { Coordinator.of(widget).surface.progressiveDisplay }
        nonmutating set { Coordinator.of(widget).surface.progressiveDisplay = newValue }
    }
}
