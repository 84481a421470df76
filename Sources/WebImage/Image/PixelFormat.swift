/// How the bytes of one pixel are laid out in a ``Bitmap``.
public enum PixelFormat: Sendable, Hashable {
    /// Red, green, blue, alpha, one byte each; colour multiplied by alpha. What GTK draws with no copy.
    case rgba8Premultiplied
    /// Red, green, blue, alpha, one byte each; colour independent of alpha, so that nothing is lost where alpha is low.
    case rgba8Straight
    /// Red, green, blue, alpha, 16 bits each in the machine's byte order, 65,535 the largest; colour multiplied by
    /// alpha. Keeps what files of more than 8 bits have.
    case rgba16Premultiplied
    /// The same with colour independent of alpha.
    case rgba16Straight

    /// Bytes that one pixel takes: 4 or 8.
    public var bytesPerPixel: Int { depth.bytesPerPixel }

    /// Bits of one channel: 8 or 16.
    public var bitsPerChannel: Int { depth == .eight ? 8 : 16 }

    /// Whether colour is multiplied by alpha.
    public var isPremultiplied: Bool { self == .rgba8Premultiplied || self == .rgba16Premultiplied }

    package var depth: PixelDepth {
        switch self {
        case .rgba8Premultiplied, .rgba8Straight: .eight
        case .rgba16Premultiplied, .rgba16Straight: .sixteen
        }
    }

    /// The format of the same kind of alpha with 8 or 16 bits a channel.
    package func with(_ depth: PixelDepth) -> PixelFormat {
        switch depth {
        case .eight: isPremultiplied ? .rgba8Premultiplied : .rgba8Straight
        case .sixteen: isPremultiplied ? .rgba16Premultiplied : .rgba16Straight
        }
    }
}
