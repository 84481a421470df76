import FoundationEssentials
import Glibc
import WebImage

extension Bitmap {
    /// All bytes in order.
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Red, green, blue and alpha of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withUnsafeBytes { Array($0[y * bytesPerRow + x * 4..<y * bytesPerRow + x * 4 + 4]) }
    }

    /// Peak signal-to-noise ratio against a bitmap of the same size, in decibels; infinite when they are equal.
    func decibels(against other: Bitmap) -> Double {
        let squares = zip(bytes, other.bytes).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        guard squares > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(byteCount) / Double(squares))
    }
}
