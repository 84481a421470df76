import Glibc
import WebImageCore
import WebImagePixels

/// Rounded rectangles by their definition, slowly: the reference for the fast code.
struct RoundedReference: CustomStringConvertible {
    /// A rectangle `inset` pixels from the edges of a picture, with a radius per corner: top left, top right, bottom
    /// left, bottom right.
    struct Rectangle {
        let left, top, right, bottom: Double
        let radii: [Double]
    }

    let size: PixelSize
    let scale: Double
    let radius: Double
    let corners: RectCorner
    let borderWidth: Double

    /// Whole and fractional lengths, one corner and all, thin and thick borders, circles and lozenges.
    static let shapes: [RoundedReference] = [
        RoundedReference(size: .init(width: 31, height: 23), scale: 1, radius: 8, corners: .allCorners, borderWidth: 0),
        RoundedReference(
            size: .init(width: 30, height: 30), scale: 1, radius: 99, corners: .allCorners, borderWidth: 1),
        RoundedReference(
            size: .init(width: 40, height: 20), scale: 1, radius: 10, corners: .allCorners, borderWidth: 2),
        RoundedReference(
            size: .init(width: 26, height: 33), scale: 1, radius: 7.3, corners: .topLeft, borderWidth: 1.4),
        RoundedReference(
            size: .init(width: 37, height: 29), scale: 2, radius: 5.2, corners: [.topRight, .bottomLeft],
            borderWidth: 0.7),
        RoundedReference(
            size: .init(width: 28, height: 28), scale: 3, radius: 2.5, corners: .bottomRight, borderWidth: 1.9),
        RoundedReference(size: .init(width: 25, height: 24), scale: 1, radius: 2, corners: .allCorners, borderWidth: 9),
        RoundedReference(size: .init(width: 25, height: 24), scale: 1, radius: 0, corners: .allCorners, borderWidth: 3),
        RoundedReference(size: .init(width: 9, height: 40), scale: 1, radius: 40, corners: .allCorners, borderWidth: 0),
        RoundedReference(size: .init(width: 3, height: 2), scale: 1, radius: 1, corners: .allCorners, borderWidth: 0.3),
        RoundedReference(size: .init(width: 1, height: 1), scale: 1, radius: 1, corners: .allCorners, borderWidth: 0),
        RoundedReference(
            size: .init(width: 40, height: 22), scale: 1.5, radius: 0.4, corners: .allCorners, borderWidth: 0),
    ]

    var description: String { "\(size) ×\(scale) r\(radius) \(corners.rawValue) b\(borderWidth)" }

    /// The clip of the picture.
    var clip: Rectangle { rectangle(inset: borderWidth * scale, radius: radius * scale) }

    private func rectangle(inset: Double, radius: Double) -> Rectangle {
        let (width, height) = (Double(size.width) - 2 * inset, Double(size.height) - 2 * inset)
        let radius = min(radius, width / 2, height / 2)
        return Rectangle(
            left: inset, top: inset, right: inset + width, bottom: inset + height,
            radii: [.topLeft, .topRight, .bottomLeft, .bottomRight].map { corners.contains($0) ? radius : 0 })
    }

    /// The share of each pixel within half of the border's width from its path, by sampling.
    func strokeCoverage(samples: Int) -> [Double] {
        let width = borderWidth * scale
        let inset = floor(width) + 0.5
        guard inset * 2 <= Double(min(size.width, size.height)) else { return Array(repeating: 0, count: size.area) }
        let path = rectangle(inset: inset, radius: max(0, radius * scale - 0.5))
        return (0..<size.area).map { index in
            let (x, y) = (Double(index % size.width), Double(index / size.width))
            var inside = 0
            for sample in 0..<samples * samples {
                let dx = (Double(sample % samples) + 0.5) / Double(samples)
                let dy = (Double(sample / samples) + 0.5) / Double(samples)
                inside += abs(path.distance(x + dx, y + dy)) <= width / 2 ? 1 : 0
            }
            return Double(inside) / Double(samples * samples)
        }
    }

    /// Source over destination (Porter, Duff 1984), without rounding.
    static func over(
        _ color: RGBAColor, _ part: Double, _ under: [UInt8], isPremultiplied: Bool
    ) -> [Double] {
        let over = Double(color.alpha) / 255 * part
        let below = isPremultiplied ? 1 : Double(under[3]) / 255
        let alpha = over + Double(under[3]) / 255 * (1 - over)
        let channels = zip([color.red, color.green, color.blue], under).map { color, under in
            (Double(color) * over + Double(under) * below * (1 - over)) / (isPremultiplied ? 1 : max(alpha, 1e-9))
        }
        return channels + [alpha * 255]
    }
}

extension RoundedReference.Rectangle {
    /// The share of each pixel within the shape: rows cut into thin slices, and the exact covered length of each.
    func coverage(in size: PixelSize) -> [Double] {
        let slices = 600
        var result = [Double](repeating: 0, count: size.area)
        for slice in 0..<size.height * slices {
            let height = (Double(slice) + 0.5) / Double(slices)
            guard height > top, height < bottom else { continue }
            let (start, end) = (left + indent(0, 2, height), right - indent(1, 3, height))
            for x in 0..<size.width {
                let length = min(end, Double(x + 1)) - max(start, Double(x))
                if length > 0 { result[slice / slices * size.width + x] += length / Double(slices) }
            }
        }
        return result
    }

    private func indent(_ upper: Int, _ lower: Int, _ height: Double) -> Double {
        let (above, below) = (top + radii[upper] - height, height - (bottom - radii[lower]))
        let distance = max(above, 0) > 0 ? (radii[upper], above) : (radii[lower], max(below, 0))
        return distance.0 - sqrt(max(0, distance.0 * distance.0 - distance.1 * distance.1))
    }

    /// The distance of a point from the path, negative inside. Beyond a square corner the larger of the two distances,
    /// as for a mitre.
    func distance(_ x: Double, _ y: Double) -> Double {
        let (isRight, isBottom) = (x > (left + right) / 2, y > (top + bottom) / 2)
        let radius = radii[(isRight ? 1 : 0) + (isBottom ? 2 : 0)]
        let across = (isRight ? x - right : left - x) + radius
        let down = (isBottom ? y - bottom : top - y) + radius
        if radius > 0, across > 0, down > 0 { return sqrt(across * across + down * down) - radius }
        return max(across, down) - radius
    }
}
