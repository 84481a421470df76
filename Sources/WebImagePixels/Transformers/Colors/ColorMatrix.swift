import Glibc

/// A linear map of colours: four rows (red, green, blue, alpha) of five numbers each, the factors for red, green, blue and
/// alpha and a number that is added. Channels are straight, from 0 to 1.
public struct ColorMatrix: Sendable, Hashable {
    /// The twenty numbers, row by row.
    public let elements: [Float]

    /// A matrix of twenty numbers, row by row; nil for another count, or when one is infinite or NaN.
    public init?(_ elements: [Float]) {
        guard elements.count == 20, elements.allSatisfy(\.isFinite) else { return nil }
        self.elements = elements
    }

    /// A matrix that changes colours and keeps alpha: three rows of three factors, and what is added to each channel.
    init(_ factors: [Double], plus offsets: [Double] = [0, 0, 0]) {
        var elements: [Float] = []
        for row in 0..<3 {
            elements += factors[row * 3..<row * 3 + 3].map(Float.init)
            elements += [0, Float(offsets[row])]
        }
        self.elements = elements + [0, 0, 0, 1, 0]
    }

    /// A matrix that is the same for all three colours.
    init(factor: Double, plus offset: Double) {
        self.init([factor, 0, 0, 0, factor, 0, 0, 0, factor], plus: Array(repeating: offset, count: 3))
    }

    /// Whether alpha stays as it is.
    var keepsAlpha: Bool { elements[15...] == [0, 0, 0, 1, 0] }

    /// Whether alpha has no effect on colours.
    var ignoresAlpha: Bool { [3, 8, 13].allSatisfy { elements[$0] == 0 } }

    /// Whether colours from 0 to 1 stay there, so that nothing is cut off.
    var staysInBounds: Bool {
        (0..<3).allSatisfy { row in
            let factors = elements[row * 5..<row * 5 + 4]
            let offset = elements[row * 5 + 4]
            return factors.reduce(offset) { $0 + min(0, $1) } >= -1e-6
                && factors.reduce(offset) { $0 + max(0, $1) } <= 1 + 1e-6
        }
    }

    /// The map that applies this matrix, and then `next`.
    func followed(by next: ColorMatrix) -> ColorMatrix {
        var product = [Float](repeating: 0, count: 20)
        for row in 0..<4 {
            for column in 0..<5 {
                let sum = (0..<4).reduce(Float(0)) { $0 + next.elements[row * 5 + $1] * elements[$1 * 5 + column] }
                product[row * 5 + column] = sum + (column == 4 ? next.elements[row * 5 + 4] : 0)
            }
        }
        return ColorMatrix(unchecked: product)
    }

    private init(unchecked elements: [Float]) { self.elements = elements }
}

extension ColorMatrix {
    // W3C, Filter Effects Module Level 1, section 9: the luminance of ITU-R BT.709 in the rounding given there.
    private static let luminance = [0.213, 0.715, 0.072]

    /// Colours moved from their luminance by a factor: 0 is gray, 1 leaves them.
    static func saturation(_ factor: Double) -> ColorMatrix {
        var numbers: [Double] = []
        for row in 0..<3 {
            for column in 0..<3 {
                let own = row == column ? factor : 0
                numbers.append(luminance[column] * (1 - factor) + own)
            }
        }
        return ColorMatrix(numbers)
    }

    /// Colours turned about the gray axis, in radians.
    static func hue(_ angle: Double) -> ColorMatrix {
        let (c, s) = (cos(angle), sin(angle))
        return ColorMatrix([
            0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928,
            0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
            0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072,
        ])
    }

    /// A share of sepia, 0 to 1.
    static func sepia(_ share: Double) -> ColorMatrix {
        let sepia = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]
        return ColorMatrix(sepia.enumerated().map { $1 * share + ($0 % 4 == 0 ? 1 - share : 0) })
    }

    /// A share of the negative, 0 to 1.
    static func inversion(_ share: Double) -> ColorMatrix { ColorMatrix(factor: 1 - 2 * share, plus: share) }

    /// Moved away from middle gray by a factor.
    static func contrast(_ factor: Double) -> ColorMatrix { ColorMatrix(factor: factor, plus: (1 - factor) / 2) }
}
