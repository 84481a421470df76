import Glibc
import WebImageCore

/// A picture in double precision: premultiplied channels from 0 to 1. The operations under test are computed in it
/// plainly, from their definitions.
package struct PixelReference {
    package var width: Int
    package var height: Int
    /// Red, green, blue, alpha of each pixel, row by row.
    package var channels: [Double]

    package init(width: Int, height: Int, channels: [Double]) {
        self.width = width
        self.height = height
        self.channels = channels
    }

    package init(_ bitmap: Bitmap) {
        width = bitmap.size.width
        height = bitmap.size.height
        let format = bitmap.format
        channels = bitmap.withUnsafeBytes { bytes in
            if format.isFloatingPoint { return bytes.bindMemory(to: Float16.self).map { Double($0) } }
            return format.depth == .sixteen
                ? bytes.bindMemory(to: UInt16.self).map { Double($0) / 65_535 } : bytes.map { Double($0) / 255 }
        }
        guard !bitmap.format.isPremultiplied else { return }
        for index in channels.indices where index % 4 < 3 { channels[index] *= channels[index | 3] }
    }

    package var size: PixelSize { PixelSize(width: width, height: height) }

    package subscript(x: Int, y: Int) -> [Double] {
        get { Array(channels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
        set { channels.replaceSubrange((y * width + x) * 4..<(y * width + x) * 4 + 4, with: newValue) }
    }

    /// A pixel; at the edge for a place outside.
    package func extended(_ x: Int, _ y: Int) -> [Double] {
        self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]
    }

    /// Straight red, green, blue, and alpha of each pixel, changed.
    package func mapStraight(_ change: (_ pixel: [Double]) -> [Double]) -> PixelReference {
        mapPixels { pixel in
            let alpha = pixel[3]
            let changed = change(pixel[..<3].map { alpha > 0 ? $0 / alpha : 0 } + [alpha])
            return changed[..<3].map { min(max($0, 0), 1) * changed[3] } + [changed[3]]
        }
    }

    /// Premultiplied pixels, changed.
    package func mapPixels(_ change: ([Double]) -> [Double]) -> PixelReference {
        var result = self
        for index in stride(from: 0, to: channels.count, by: 4) {
            result.channels.replaceSubrange(index..<index + 4, with: change(Array(channels[index..<index + 4])))
        }
        return result
    }

    /// The picture made of weighted sums of pixels, first along rows, then along columns.
    package func summed(
        width: Int, height: Int, across: (Int) -> [(Int, Double)], down: (Int) -> [(Int, Double)]
    ) -> PixelReference {
        var narrow = PixelReference(
            width: width, height: self.height, channels: Array(repeating: 0, count: width * self.height * 4))
        for x in 0..<width {
            let taps = across(x).map { (min(max($0.0, 0), self.width - 1), $0.1) }
            for y in 0..<self.height { narrow[x, y] = sum(taps) { (y * self.width + $0) * 4 } }
        }
        var result = PixelReference(
            width: width, height: height, channels: Array(repeating: 0, count: width * height * 4))
        for y in 0..<height {
            let taps = down(y).map { (min(max($0.0, 0), self.height - 1), $0.1) }
            for x in 0..<width { result[x, y] = narrow.sum(taps) { ($0 * width + x) * 4 } }
        }
        return result
    }

    private func sum(_ taps: [(Int, Double)], place: (Int) -> Int) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        for (index, weight) in taps {
            let start = place(index)
            for channel in 0..<4 { sums[channel] += channels[start + channel] * weight }
        }
        return sums
    }

    /// The same picture, as an integer picture can hold it: alpha at most 1, colours at most alpha, and where alpha
    /// exceeds 1 all channels by the same factor.
    package var held: PixelReference {
        mapPixels { pixel in
            let factor = pixel[3] > 1 ? 1 / pixel[3] : 1
            let alpha = min(max(pixel[3], 0), 1)
            return pixel[..<3].map { min(max($0 * factor, 0), alpha) } + [alpha]
        }
    }

    /// The largest difference of a channel to a bitmap's, in 1/255; huge for another size. Floating-point numbers count as
    /// far as integers can hold them.
    package func distance(from bitmap: Bitmap) -> Double {
        let other = bitmap.format.isFloatingPoint ? PixelReference(bitmap).held : PixelReference(bitmap)
        guard other.size == size else { return .infinity }
        return zip(channels, other.channels).reduce(0) { max($0, abs($1.0 - $1.1)) } * 255
    }

    /// Peak signal-to-noise ratio to a bitmap, in decibels.
    package func signalToNoise(of bitmap: Bitmap) -> Double {
        let squares = zip(channels, PixelReference(bitmap).channels).reduce(0) { $0 + pow($1.0 - $1.1, 2) }
        return 10 * log10(Double(channels.count) / squares)
    }
}
