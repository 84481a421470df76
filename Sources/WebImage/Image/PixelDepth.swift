import CPixels

/// Whether a channel has 8 bits or 16, and the loops over pixels of either.
package enum PixelDepth: Sendable, Hashable {
    case eight
    /// In the machine's byte order.
    case sixteen

    package var bytesPerPixel: Int { self == .eight ? 4 : 8 }

    /// Multiplies colour by alpha in place.
    func premultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_premultiply(row, count)
        case .sixteen: webimage_deep_premultiply(row, count)
        }
    }

    /// Divides colour by alpha in place.
    func unpremultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_unpremultiply(row, count)
        case .sixteen: webimage_deep_unpremultiply(row, count)
        }
    }

    /// Whether every alpha has the largest value.
    func isOpaque(_ row: UnsafePointer<UInt8>, count: Int) -> Bool {
        switch self {
        case .eight: webimage_is_opaque(row, count)
        case .sixteen: webimage_deep_is_opaque(row, count)
        }
    }

    /// Writes a row of the other depth as one of this depth: a value of 8 bits times 257, and back to nearest.
    func convert(_ row: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_narrow(row, result, count)
        case .sixteen: webimage_widen(row, result, count)
        }
    }
}

extension ImageDecodeOptions {
    /// What a picture is decoded at: more than 8 bits go on where they are asked for, and where what follows needs them.
    package func depth(bitsPerChannel: Int, needsDepth: Bool) -> PixelDepth {
        let isWanted = pixelFormat.depth == .sixteen || needsDepth
        return bitsPerChannel > 8 && isWanted ? .sixteen : .eight
    }
}
