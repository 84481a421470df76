/// What the numbers of a ``Bitmap`` mean.
public enum ColorSpace: Sendable, Hashable {
    /// sRGB (IEC 61966-2-1): what screens without colour management and GTK expect.
    case sRGB
    /// The numbers as they stood in the file: its profile, if it had one, was not applied.
    case asStored
}
