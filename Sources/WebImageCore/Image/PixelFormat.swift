/// The byte layout of a pixel in a ``Bitmap``.
public enum PixelFormat: Sendable, Hashable {
    /// Red, green, blue, alpha, one byte each, premultiplied. GTK draws it without a copy.
    case rgba8Premultiplied
    /// Red, green, blue, alpha, one byte each, straight, so that colours under low alpha are exact.
    case rgba8Straight
    /// Red, green, blue, alpha, 16 bits each in native byte order, up to 65,535, premultiplied. Keeps the depth of
    /// files with more than 8 bits.
    case rgba16Premultiplied
    /// The same with straight alpha.
    case rgba16Straight
    /// Red, green, blue, alpha as half-precision floating-point numbers (IEEE 754 binary16) in native byte order,
    /// premultiplied; 1 is the maximum of the other formats, and colours may be brighter. For an app's own pixels:
    /// operations keep them, decoders give integers, and encoders take them as integers.
    case rgba16FloatPremultiplied
    /// The same with straight alpha.
    case rgba16FloatStraight

    /// The bytes of one pixel: 4 or 8.
    public var bytesPerPixel: Int { depth.bytesPerPixel }

    /// The bits of one channel: 8 or 16.
    public var bitsPerChannel: Int { depth == .eight ? 8 : 16 }

    /// Whether colours are premultiplied.
    public var isPremultiplied: Bool {
        switch self {
        case .rgba8Premultiplied, .rgba16Premultiplied, .rgba16FloatPremultiplied: true
        case .rgba8Straight, .rgba16Straight, .rgba16FloatStraight: false
        }
    }

    /// Whether channels are floating-point numbers.
    public var isFloatingPoint: Bool { self == .rgba16FloatPremultiplied || self == .rgba16FloatStraight }

    /// The format of integers of the same size.
    package var integers: PixelFormat { isFloatingPoint ? with(.sixteen) : self }

    package var depth: PixelDepth {
        switch self {
        case .rgba8Premultiplied, .rgba8Straight: .eight
        case .rgba16Premultiplied, .rgba16Straight, .rgba16FloatPremultiplied, .rgba16FloatStraight: .sixteen
        }
    }

    /// The format of integers with the same kind of alpha and 8 or 16 bits a channel.
    package func with(_ depth: PixelDepth) -> PixelFormat {
        switch depth {
        case .eight: isPremultiplied ? .rgba8Premultiplied : .rgba8Straight
        case .sixteen: isPremultiplied ? .rgba16Premultiplied : .rgba16Straight
        }
    }
}
