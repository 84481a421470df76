/// How the bytes of one pixel are laid out in a ``Bitmap``.
public enum PixelFormat: Sendable, Hashable {
    /// Red, green, blue, alpha, one byte each; colour multiplied by alpha. What GTK draws with no copy.
    case rgba8Premultiplied
    /// Red, green, blue, alpha, one byte each; colour independent of alpha, so that nothing is lost where alpha is low.
    case rgba8Straight

    /// Bytes that one pixel takes.
    public var bytesPerPixel: Int { 4 }
}
