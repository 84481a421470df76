import CPixels
import Glibc
import WebImageCore

/// A number for each channel.
package struct ChannelDifferences: Sendable, Hashable, Encodable {
    package let red, green, blue, alpha: Int

    /// The largest of the four.
    package var largest: Int { max(red, green, blue, alpha) }
}

/// How far the pixels of a pair are from each other.
package struct BitmapDifference: Sendable {
    /// The mean of the squared differences of all channels, where the largest value of a channel is 1. Alpha is one of the
    /// channels unless both pictures are opaque.
    let meanSquare: Double
    /// The largest difference in each channel, of 255 or 65,535.
    package let largest: ChannelDifferences
    /// The number of pixels that are not the same.
    package let pixelCount: Int

    /// The peak signal-to-noise ratio in decibels; infinite where the pictures are the same.
    package var peakSignalToNoise: Double { -10 * log10(meanSquare) }
}

extension BitmapPair {
    /// Compares all pixels. Any thread; about a millisecond per million pixels.
    ///
    /// - Throws: ``WebImageError/Code/cancelled``.
    package func difference(until cancellation: CancellationFlag? = nil) throws(WebImageError) -> BitmapDifference {
        var found = webimage_difference()
        try forEachRow(until: cancellation) { _, first, second in
            switch depth {
            case .eight: webimage_add_difference(first, second, size.width, &found)
            case .sixteen: webimage_deep_add_difference(first, second, size.width, &found)
            }
        }
        let squares = Double(found.squares.0) + Double(found.squares.1) + Double(found.squares.2)
        let largest = found.largest
        let count = Double(size.area * (isOpaque ? 3 : 4)) * depth.largestValue * depth.largestValue
        return BitmapDifference(
            meanSquare: (squares + Double(found.squares.3)) / count,
            largest: ChannelDifferences(
                red: Int(largest.0), green: Int(largest.1), blue: Int(largest.2), alpha: Int(largest.3)),
            pixelCount: Int(found.pixels))
    }

    /// A picture of the differences: opaque, black where the pictures are the same, and elsewhere the difference of each
    /// colour, or that of alpha where it is larger, times `factor`.
    ///
    /// - Parameter factor: 1 to 255.
    /// - Throws: ``WebImageError/Code/cancelled``, and ``WebImageError/Code/limitExceeded`` when there is no memory.
    package func differencePicture(
        times factor: Int, until cancellation: CancellationFlag? = nil
    ) throws(WebImageError) -> Bitmap {
        let factor = UInt32(min(max(1, factor), 255))
        return try Bitmap(size: size, format: first.format) { rows, bytesPerRow throws(WebImageError) in
            try forEachRow(until: cancellation) { y, first, second in
                let row = rows + y * bytesPerRow
                switch depth {
                case .eight:
                    let pixels = row.assumingMemoryBound(to: UInt8.self)
                    webimage_show_difference(first, second, factor, pixels, size.width)
                case .sixteen: webimage_deep_show_difference(first, second, factor, row, size.width)
                }
            }
            return true
        }
    }
}

extension PixelDepth {
    fileprivate var largestValue: Double { self == .eight ? 255 : 65_535 }
}
