/// The weights with which a pixel's neighbours, and the pixel itself, make the pixel of the result.
public struct ConvolutionKernel: Sendable, Hashable {
    /// The number of weights in a row: odd, so that there is a middle.
    public let width: Int
    /// The number of rows: odd.
    public let height: Int
    /// The weights, row by row from the top left.
    public let weights: [Float]
    /// The addend of each colour, from 0 to 1.
    public let bias: Float

    /// The largest side: more would take minutes for a photograph.
    public static let largestSide = 99

    /// A kernel of weights, row by row.
    ///
    /// - Parameters:
    ///   - width: The number of weights in a row: odd, at most ``largestSide``.
    ///   - height: The number of rows: odd, at most ``largestSide``.
    ///   - weights: width × height numbers. They are taken as they are: weights with another sum than 1 change the
    ///     brightness.
    ///   - bias: What is added to each colour.
    /// - Returns: Nil for sides that are even or too large, another count of weights, or a number that is infinite or
    ///   NaN.
    public init?(width: Int, height: Int, weights: [Float], bias: Float = 0) {
        let sides = [width, height]
        guard sides.allSatisfy({ $0 % 2 == 1 && 1...Self.largestSide ~= $0 }), weights.count == width * height,
            weights.allSatisfy(\.isFinite), bias.isFinite
        else { return nil }
        self.width = width
        self.height = height
        self.weights = weights
        self.bias = bias
    }

    /// The same kernel with a sum of 1; nil for a sum of 0.
    public var normalized: ConvolutionKernel? {
        sum == 0 ? nil : ConvolutionKernel(width: width, height: height, weights: weights.map { $0 / sum }, bias: bias)
    }

    /// 0 where weights cancel each other out but for rounding.
    var sum: Float {
        let sum = weights.reduce(0, +)
        return abs(sum) > 1e-5 * weights.reduce(0, { $0 + abs($1) }) ? sum : 0
    }
}
