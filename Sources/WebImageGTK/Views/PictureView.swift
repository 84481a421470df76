import CGtk4
import WebImage

/// Loads pictures into a `GtkPicture` of the app.
///
/// A stateless value: create one wherever it is needed, it always refers to the same widget.
///
/// ```swift
/// let picture = gtk_picture_new()!
/// PictureView(picture).setImage(with: URL(string: "https://example.org/a.jpg"), placeholder: grey)
/// ```
/// Use on the main thread only, as all of GTK, and only while the widget lives.
@MainActor
public struct PictureView: HighlightableView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The picture view of `widget`, which must be a `GtkPicture`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The picture view of a `GtkPicture *`, for language bindings with typed pointers.
    public init(_ picture: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(picture).assumingMemoryBound(to: GtkWidget.self))
    }

    /// The exact size of the picture's widget, in points: its minimum and its natural size, whatever the picture's size
    /// is and whatever room the container has. nil, the default, for the size that the picture and the container give
    /// it. Pictures are decoded for a fixed size at once, before the widget has a layout.
    ///
    /// ```swift
    /// PictureView(avatar).fixedSize = PointSize(width: 48, height: 48)
    /// PictureView(header).fixedSize = PointSize(width: 0, height: 220)
    /// ```
    /// A side that is not positive (0, negative, NaN) is not fixed: the header above is as wide as its container. Other
    /// sides are rounded to whole points, from 1 to 32767. Along a fixed side, the alignment (`halign`, `valign`)
    /// becomes `center` where it is `fill` or `baseline`, with which GTK would stretch the widget; set another one to move
    /// it. `fill`, set afterwards, stretches it again. A size request (`gtk_widget_set_size_request`) or a minimum of a
    /// style sheet (`min-width`, `min-height`) that is larger still counts, and so do the margins, borders and padding of
    /// style sheets, which lie around the size.
    public var fixedSize: PointSize? {
        get { FixedSize.find(widget)?.size }
        nonmutating set { FixedSize.set(newValue, of: widget) }
    }

    /// The way the picture fits into the widget: its `content-fit`, by default ``ContentFit/contain``.
    public var contentFit: ContentFit {
        get { widget.pictureFit }
        nonmutating set { widget.pictureFit = newValue }
    }

    /// The radius of the widget's corners, in points, to a hundredth of one; 0, the default, for none. It does not clip a
    /// picture that does not reach the corners: ``ContentFit/cover`` does.
    public var cornerRadius: Double {
        get { RoundedCorners.radius(of: widget) }
        nonmutating set { RoundedCorners.set(newValue, on: widget) }
    }

    /// The picture of the `GtkPicture`.
    public var slot: PictureSlot {
        PictureSlot(
            target: HighlightTarget(key: Highlight.Key.image, base: PictureTarget(widget: widget)), naming: .widget)
    }
}
