import Glibc
import WebImage

/// The result of an operation in double precision, in its lower left corner: there are edges and details.
enum OperationReference: Sendable {
    /// Weighted sums of columns, and of rows in the same way: which ones, for a column of the result.
    case separable(@Sendable (_ index: Int, _ length: Int) -> [(index: Int, weight: Double)])
    /// Each pixel from the one at its place: four channels of 0 to 255.
    case pixels(@Sendable ([Double]) -> [Double])
    /// Each pixel from the one at another place.
    case places(@Sendable (_ x: Int, _ y: Int, PixelSize) -> (x: Int, y: Int))

    /// The sides of the part that is compared.
    static let side = 400

    /// The peak signal-to-noise ratio of results in decibels.
    struct Quality {
        fileprivate let expected: [Double]
        /// The uppermost row that is compared.
        fileprivate let top: Int

        /// - Parameter row: The bytes from the beginning of one row to that of the next.
        func of(_ pixels: UnsafeRawBufferPointer, row: Int) -> Double {
            var sum = 0.0
            for y in 0..<side {
                for channel in 0..<side * 4 {
                    let difference = Double(pixels[(top + y) * row + channel]) - expected[y * side * 4 + channel]
                    sum += difference * difference
                }
            }
            return 10 * log10(255 * 255 * Double(expected.count) / sum)
        }
    }

    /// - Parameter height: That of the result.
    func quality(for source: Bitmap, height: Int) -> Quality {
        let top = height - Self.side
        let expected = source.withUnsafeBytes { bytes in
            let pixels = SourcePixels(bytes: bytes, size: source.size)
            return switch self {
            case .separable(let weights): Self.sums(of: pixels, from: top, weights)
            case .pixels(let change): Self.each(from: top) { x, y in change((0..<4).map { pixels[x, y, $0] }) }
            case .places(let place):
                Self.each(from: top) { x, y in
                    let from = place(x, y, source.size)
                    return (0..<4).map { pixels[from.x, from.y, $0] }
                }
            }
        }
        return Quality(expected: expected.map { min(255, max(0, $0)) }, top: top)
    }

    private static func each(from top: Int, _ pixel: (Int, Int) -> [Double]) -> [Double] {
        (top..<top + side).flatMap { y in (0..<side).flatMap { x in pixel(x, y) } }
    }

    private static func sums(
        of pixels: SourcePixels, from top: Int, _ weights: (Int, Int) -> [(index: Int, weight: Double)]
    ) -> [Double] {
        let across = (0..<side).map { weights($0, pixels.size.width) }
        let down = (top..<top + side).map { weights($0, pixels.size.height) }
        let rows = Set(down.flatMap { $0.map(\.index) })
        var filtered: [Int: [Double]] = [:]
        for y in rows {
            filtered[y] = across.flatMap { terms in
                (0..<4).map { channel in terms.reduce(0) { $0 + $1.weight * pixels[$1.index, y, channel] } }
            }
        }
        return down.flatMap { terms in
            var row = [Double](repeating: 0, count: side * 4)
            for term in terms {
                guard let other = filtered[term.index] else { continue }
                for channel in row.indices { row[channel] += term.weight * other[channel] }
            }
            return row
        }
    }

    private struct SourcePixels {
        let bytes: UnsafeRawBufferPointer
        let size: PixelSize

        subscript(x: Int, y: Int, channel: Int) -> Double { Double(bytes[(y * size.width + x) * 4 + channel]) }
    }
}

extension OperationReference {
    /// Lanczos3, antialiased: the filter is as many times wider as the picture becomes smaller, and ends at the edges.
    static func lanczos3(scale: Double) -> OperationReference {
        .separable { index, length in
            let center = (Double(index) + 0.5) * scale
            let first = max(0, Int((center - 3 * scale).rounded(.down)))
            let last = min(length - 1, Int((center + 3 * scale).rounded(.up)))
            let terms = (first...last).map { ($0, lanczos((Double($0) + 0.5 - center) / scale)) }
            let sum = terms.reduce(0) { $0 + $1.1 }
            return terms.map { (index: $0.0, weight: $0.1 / sum) }
        }
    }

    static func box(scale: Int) -> OperationReference {
        .separable { index, _ in (0..<scale).map { (index: index * scale + $0, weight: 1 / Double(scale)) } }
    }

    /// With the pixels at the edges repeated beyond them.
    static func gaussian(deviation: Double) -> OperationReference {
        .separable { index, length in
            let reach = Int((6 * deviation).rounded(.up))
            let terms = (-reach...reach).map { distance in
                (min(length - 1, max(0, index + distance)), exp(-pow(Double(distance) / deviation, 2) / 2))
            }
            let sum = terms.reduce(0) { $0 + $1.1 }
            return terms.map { (index: $0.0, weight: $0.1 / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        return abs(x) >= 3 ? 0 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
}
