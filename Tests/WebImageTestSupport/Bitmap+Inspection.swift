import FoundationEssentials
import WebImageCore

extension Bitmap {
    /// All bytes in order.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Red, green, blue and alpha of one pixel.
    package func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withUnsafeBytes { Array($0[y * bytesPerRow + x * 4..<y * bytesPerRow + x * 4 + 4]) }
    }
}
