import Glibc
import WebImageCore

/// Premultiplied pixels, from a renderer or a reference.
package struct Pixels {
    package let size: PixelSize
    /// Red, green, blue and alpha, 0 to 255.
    private var colors: [SIMD4<Float>]

    package init(_ size: PixelSize) {
        self.size = size
        colors = Array(repeating: .zero, count: size.area)
    }

    package init(_ bitmap: Bitmap) {
        size = bitmap.size
        colors = bitmap.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { start -> SIMD4<Float> in
                let pixel = SIMD4<UInt8>(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
                return SIMD4<Float>(pixel)
            }
        }
    }

    /// From cairo's machine words.
    package init(_ size: PixelSize, words: UnsafeBufferPointer<UInt32>) {
        self.size = size
        colors = words.map { word in
            SIMD4(
                Float(word >> 16 & 0xFF), Float(word >> 8 & 0xFF), Float(word & 0xFF), Float(word >> 24 & 0xFF))
        }
    }

    package subscript(x: Int, y: Int) -> SIMD4<Float> {
        get { colors[y * size.width + x] }
        set { colors[y * size.width + x] = newValue }
    }

    /// The similarity of two pictures in decibels: at 34 they are hard to distinguish, at 50 only roundings differ.
    package func signalToNoise(_ other: Pixels) -> Double {
        guard size == other.size else { return 0 }
        var sum = 0.0
        for (first, second) in zip(colors, other.colors) {
            let difference = first - second
            sum += Double((difference * difference).sum())
        }
        let mean = sum / Double(4 * colors.count)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}
