import WebImageCore
import WebImagePixels

/// Pictures by a formula, which the hashes in the tests were computed of by a program of its own, written after the
/// descriptions of the formats in another language, without tables and without separate sums over rows and columns.
enum HashPicture {
    static func bitmap(
        _ width: Int, _ height: Int, isOpaque: Bool = true, format: PixelFormat = .rgba8Straight
    ) throws -> Bitmap {
        let pixels = (0..<height).flatMap { y in
            (0..<width).flatMap { x in pixel(x, y, width, height, isOpaque: isOpaque) }
        }
        let bitmap = try Bitmap(
            size: PixelSize(width: width, height: height), format: .rgba8Straight, pixels: pixels)
        return try bitmap.converted(to: format)
    }

    private static func pixel(_ x: Int, _ y: Int, _ width: Int, _ height: Int, isOpaque: Bool) -> [UInt8] {
        let (right, down) = (x - width / 3, y - height / 4)
        let isInCircle = right * right + down * down < (width / 4) * (width / 4) + 1
        let red = x * 200 / width + y * 50 / height + (isInCircle ? 30 : 0)
        let green = 220 - y * 180 / height + x * x * 20 / (width * width)
        let blue = 60 + x * y * 150 / (width * height) + (x * 3 > width * 2 && y * 2 > height ? 80 : 0)
        let alpha = isOpaque ? 255 : max(0, 300 - x * x * 200 / (width * width) - y * 250 / height)
        return [UInt8(min(255, red)), UInt8(min(255, green)), UInt8(blue % 256), UInt8(min(255, alpha))]
    }
}

extension Bitmap {
    /// Its bytes, each times its place modulo 251, and all together.
    var weightedSums: (plain: Int, byPlace: Int) {
        withUnsafeBytes { bytes in
            bytes.enumerated().reduce((0, 0)) { ($0.0 + Int($1.element), $0.1 + $1.offset % 251 * Int($1.element)) }
        }
    }

    /// The first bytes.
    func head(_ count: Int) -> [UInt8] { withUnsafeBytes { Array($0.prefix(count)) } }
}
