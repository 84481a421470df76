import Glibc
import WebImageCore

extension Bitmap {
    /// Mean red, green, blue, alpha of a rectangle.
    package func mean(x: Range<Int>, y: Range<Int>) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        withUnsafeBytes { bytes in
            for row in y {
                for column in x {
                    for channel in 0..<4 { sums[channel] += Double(bytes[row * bytesPerRow + column * 4 + channel]) }
                }
            }
        }
        return sums.map { $0 / Double(x.count * y.count) }
    }

    /// Mean red, green, blue, alpha of the quadrants: top left, top right, bottom left, bottom right.
    package var quadrantMeans: [[Double]] {
        let (middleX, middleY) = (max(1, size.width / 2), max(1, size.height / 2))
        let columns = [0..<middleX, min(middleX, size.width - 1)..<size.width]
        let rows = [0..<middleY, min(middleY, size.height - 1)..<size.height]
        return rows.flatMap { row in columns.map { mean(x: $0, y: row) } }
    }

    /// The mean difference of the bytes of two bitmaps of one size, from one byte in `step`.
    package func meanDifference(from other: Bitmap, step: Int = 101) -> Double {
        guard size == other.size else { return .infinity }
        let (mine, others) = (bytes, other.bytes)
        let sample = stride(from: 0, to: byteCount, by: step)
        let sum = sample.reduce(0) { $0 + abs(Int(mine[$1]) - Int(others[$1])) }
        return Double(sum * step) / Double(byteCount)
    }
}

/// Peak signal-to-noise ratio of two pictures' bytes in decibels; infinite when they are equal.
package func peakSignalToNoise(_ first: [UInt8], _ second: [UInt8]) -> Double {
    guard first.count == second.count, !first.isEmpty else { return 0 }
    let squares = zip(first, second).reduce(0.0) { sum, pair in
        let difference = Double(pair.0) - Double(pair.1)
        return sum + difference * difference
    }
    return 10 * log10(255.0 * 255 * Double(first.count) / squares)
}

/// The largest difference between two lists of numbers; huge when their lengths differ.
package func largestDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
    guard first.count == second.count else { return .max }
    return zip(first, second).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}

/// The same for all other collections, which the optimizer does not know.
package func largestDifference(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Int {
    guard first.count == second.count else { return .max }
    return zip(first, second).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
