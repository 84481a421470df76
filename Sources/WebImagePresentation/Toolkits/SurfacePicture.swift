import WebImageCore

/// A picture in a view.
public struct SurfacePicture: Sendable {
    /// The picture.
    public let image: Image
    /// The pixels to draw: those of the picture, or of the current frame of its animation.
    public internal(set) var bitmap: Bitmap
    /// Its role in the load that has brought it.
    public let role: PictureRole
    /// Its place in the view, in points, with negative coordinates where it overhangs; nil in a view without a placement.
    public let frame: PointRect?
}
