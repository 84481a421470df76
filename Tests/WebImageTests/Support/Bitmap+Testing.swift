import Glibc
import WebImage

extension Bitmap {
    /// All bytes, rows without gaps.
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The four bytes of the pixel in column `x` of row `y`.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        withUnsafeBytes { bytes in (0..<4).map { Int(bytes[y * bytesPerRow + x * 4 + $0]) } }
    }

    /// Mean red, green, blue, alpha of a rectangle.
    func mean(x: Range<Int>, y: Range<Int>) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        for row in y {
            for column in x {
                for (channel, value) in pixel(column, row).enumerated() { sums[channel] += Double(value) }
            }
        }
        return sums.map { $0 / Double(x.count * y.count) }
    }

    /// Mean red, green, blue, alpha of the quadrants: top left, top right, bottom left, bottom right.
    var quadrantMeans: [[Double]] {
        let halves = PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
        let columns = [0..<halves.width, min(halves.width, size.width - 1)..<size.width]
        let rows = [0..<halves.height, min(halves.height, size.height - 1)..<size.height]
        return rows.flatMap { row in columns.map { mean(x: $0, y: row) } }
    }
}

/// Peak signal-to-noise ratio of two pictures' bytes in decibels; infinite when they are equal.
func peakSignalToNoise(_ first: [UInt8], _ second: [UInt8]) -> Double {
    guard first.count == second.count, !first.isEmpty else { return 0 }
    let squares = zip(first, second).reduce(0.0) { sum, pair in
        let difference = Double(pair.0) - Double(pair.1)
        return sum + difference * difference
    }
    return 10 * log10(255.0 * 255 * Double(first.count) / squares)
}

/// The largest difference of two rows of numbers; very large when their lengths differ.
func largestDifference<Number: BinaryInteger>(_ first: [Number], _ second: [Number]) -> Int {
    guard first.count == second.count else { return .max }
    return zip(first, second).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
