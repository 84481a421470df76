/// The content of a view at one moment.
public enum SurfaceContent: Sendable {
    /// No picture.
    case nothing
    /// A picture at rest, or the current frame of its animation.
    case picture(SurfacePicture)
    /// A frame of a transition.
    case transition(TransitionFrame)

    /// The picture that is shown, or that the transition leads to; nil for none.
    public var picture: SurfacePicture? {
        switch self {
        case .nothing: nil
        case .picture(let picture): picture
        case .transition(let frame): frame.new
        }
    }

    init(_ picture: SurfacePicture?) { self = picture.map { .picture($0) } ?? .nothing }
}
