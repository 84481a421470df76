import Glibc
import WebImageCore

/// Lanczos resampling as its definition says, slowly.
package enum ExactLanczos {
    /// The literal definition, one axis after the other, without fixed-point numbers and box reduction.
    package static func resampled(_ pixels: [UInt8], from size: PixelSize, to target: PixelSize) -> [UInt8] {
        let columns = weights(size.width, target.width)
        let rows = weights(size.height, target.height)
        var narrow = [Double](repeating: 0, count: size.height * target.width * 4)
        for y in 0..<size.height {
            for x in 0..<target.width {
                for (source, weight) in columns[x] {
                    for channel in 0..<4 {
                        narrow[(y * target.width + x) * 4 + channel] +=
                            weight * Double(pixels[(y * size.width + source) * 4 + channel])
                    }
                }
            }
        }
        return (0..<target.height).flatMap { y in
            (0..<target.width * 4).map { x in
                let sum = rows[y].reduce(0) { $0 + $1.weight * narrow[$1.source * target.width * 4 + x] }
                return UInt8(min(255, max(0, sum.rounded())))
            }
        }
    }

    private static func weights(_ length: Int, _ count: Int) -> [[(source: Int, weight: Double)]] {
        let step = Double(length) / Double(count)
        let ratio = max(1, step)
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
        return (0..<count).map { index in
            let center = (Double(index) + 0.5) * step
            let taps = (0..<length).compactMap { source -> (source: Int, weight: Double)? in
                let distance = (Double(source) + 0.5 - center) / ratio
                return abs(distance) < 3 ? (source, sinc(distance) * sinc(distance / 3)) : nil
            }
            let sum = taps.reduce(0) { $0 + $1.weight }
            return taps.map { ($0.source, $0.weight / sum) }
        }
    }
}
