import Foundation
import WebImageCore

/// The measures of a comparison in double precision, as their definitions have them: pixel by pixel, window by window.
struct SimilarityReference {
    /// Premultiplied red, green, blue and alpha from 0 to 1.
    private let first: [[Double]]
    private let second: [[Double]]
    private let size: PixelSize

    /// - Parameter first: Premultiplied.
    init(_ first: Bitmap, _ second: Bitmap) {
        self.first = first.unitChannels
        self.second = second.unitChannels
        size = first.size
    }

    var isOpaque: Bool { (first + second).allSatisfy { $0[3] == 1 } }

    var peakSignalToNoise: Double {
        let channels = isOpaque ? 3 : 4
        var sum = 0.0
        for (one, other) in zip(first, second) {
            for channel in 0..<channels { sum += pow(one[channel] - other[channel], 2) }
        }
        return 10 * log10(Double(size.area * channels) / sum)
    }

    /// Of the definition's formulas (4) to (16), over a backdrop.
    func similarity(over backdrop: Double) -> Double {
        let (one, other) = (luma(first, backdrop), luma(second, backdrop))
        var sum = 0.0
        for y in 0...size.height - 11 {
            for x in 0...size.width - 11 { sum += similarity(x, y, one, other) }
        }
        return sum / Double((size.width - 10) * (size.height - 10))
    }

    private func luma(_ pixels: [[Double]], _ backdrop: Double) -> [Double] {
        pixels.map { 0.299 * $0[0] + 0.587 * $0[1] + 0.114 * $0[2] + backdrop * (1 - $0[3]) }
    }

    private func similarity(_ x: Int, _ y: Int, _ first: [Double], _ second: [Double]) -> Double {
        var places: [(one: Double, other: Double, weight: Double)] = []
        for row in 0..<11 {
            for column in 0..<11 {
                let distance = pow(Double(row - 5), 2) + pow(Double(column - 5), 2)
                let index = (y + row) * size.width + x + column
                places.append((first[index], second[index], exp(-distance / (2 * 1.5 * 1.5))))
            }
        }
        let whole = places.reduce(0) { $0 + $1.weight }
        func mean(_ value: ((one: Double, other: Double, weight: Double)) -> Double) -> Double {
            places.reduce(0) { $0 + $1.weight * value($1) } / whole
        }
        let (one, other) = (mean { $0.one }, mean { $0.other })
        let (variance, otherVariance) = (mean { pow($0.one - one, 2) }, mean { pow($0.other - other, 2) })
        let covariance = mean { ($0.one - one) * ($0.other - other) }
        let (c1, c2) = (0.01 * 0.01, 0.03 * 0.03)
        return (2 * one * other + c1) * (2 * covariance + c2)
            / ((one * one + other * other + c1) * (variance + otherVariance + c2))
    }
}

extension Bitmap {
    fileprivate var unitChannels: [[Double]] {
        withUnsafeBytes { bytes in
            (0..<size.area).map { index in
                (0..<4).map { channel in
                    format.depth == .eight
                        ? Double(bytes[index * 4 + channel]) / 255
                        : Double(bytes.load(fromByteOffset: index * 8 + channel * 2, as: UInt16.self)) / 65_535
                }
            }
        }
    }
}
