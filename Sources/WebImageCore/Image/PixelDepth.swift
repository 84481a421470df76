import CPixels

/// 8 or 16 bits per channel, and the loops over pixels of either.
package enum PixelDepth: Sendable, Hashable {
    case eight
    /// In native byte order.
    case sixteen

    package var bytesPerPixel: Int { self == .eight ? 4 : 8 }

    /// Multiplies colour by alpha in place.
    package func premultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_premultiply(row, count)
        case .sixteen: webimage_deep_premultiply(row, count)
        }
    }

    /// Divides colour by alpha in place.
    package func unpremultiply(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_unpremultiply(row, count)
        case .sixteen: webimage_deep_unpremultiply(row, count)
        }
    }

    /// Whether every alpha is at its maximum.
    package func isOpaque(_ row: UnsafePointer<UInt8>, count: Int) -> Bool {
        switch self {
        case .eight: webimage_is_opaque(row, count)
        case .sixteen: webimage_deep_is_opaque(row, count)
        }
    }

    /// Converts a row of the other depth to this depth: 8-bit values times 257, or back to the nearest.
    package func convert(_ row: UnsafePointer<UInt8>, to result: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self {
        case .eight: webimage_narrow(row, result, count)
        case .sixteen: webimage_widen(row, result, count)
        }
    }
}

extension ImageDecodeOptions {
    /// The depth to decode at: more than 8 bits where they are requested, or where later steps need them.
    package func depth(bitsPerChannel: Int, needsDepth: Bool) -> PixelDepth {
        let isWanted = pixelFormat.depth == .sixteen || needsDepth
        return bitsPerChannel > 8 && isWanted ? .sixteen : .eight
    }
}
