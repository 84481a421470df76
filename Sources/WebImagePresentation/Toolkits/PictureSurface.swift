import WebImageCore

/// A view of any toolkit, or of none, which draws one picture. Its ``PicturePresenter`` loads the pictures and says what to
/// draw.
///
/// ```swift
/// final class BitmapView: PictureSurface {
///     private(set) lazy var presenter = PicturePresenter(for: self, in: scroller)
/// ```
/// Only ``show(_:)`` is needed: such a view gets pictures at the size of their files, without transitions. Everything is called
/// on the main actor.
@MainActor
public protocol PictureSurface: AnyObject, SendableMetatype {
    /// Draws `content` from now on, and nothing that was drawn before. Called for every picture, and for every frame of a
    /// transition or an animation.
    func show(_ content: SurfaceContent)

    /// The size of the view, and how a picture fits into it. nil, the default, for a view without one: it gets pictures at the
    /// size of their files, and shows them at once.
    ///
    /// After a change call ``PicturePresenter/layoutHasChanged()``.
    var placement: SurfacePlacement? { get }

    /// The place of the view among the contents of its scroller, in the coordinates of ``ScrollerLoads/visibleArea``. nil, the
    /// default, until it is laid out.
    var frameInScroller: PointRect? { get }

    /// The pixels of the whole view as it is drawn now. They are asked for when a transition is interrupted: the next one begins
    /// with them. With nil, the default, it begins with the picture that the interrupted one would have ended with.
    func snapshot() -> Bitmap?

    /// The common status of the view's loads has changed. Does nothing by default.
    func show(_ status: ViewLoadStatus)

    /// Shows the progress of the load that runs, from 0 to 1; nil when none runs any more. Does nothing by default.
    func show(progress: Double?)
}

extension PictureSurface {
    /// None.
    public var placement: SurfacePlacement? { nil }
    /// None.
    public var frameInScroller: PointRect? { nil }
    /// None.
    public func snapshot() -> Bitmap? { nil }
    /// Does nothing.
    public func show(_ status: ViewLoadStatus) {}
    /// Does nothing.
    public func show(progress: Double?) {}
}
