import Glibc

/// The numbers of a Gaussian blur of a picture with extended edges.
///
/// A wide blur needs no detail. So the picture is reduced by a factor with a cubic B-spline, blurred there by a Gaussian
/// that lacks what the splines have blurred, and expanded with the same spline. Variances add up, and the whole differs
/// from a Gaussian by less than 1 of 2,000 where its deviation is 2.5 times the factor or more: much less than three
/// boxes do, in a third of OpenCV's time for them.
struct GaussianPlan: Sendable {
    /// The ratio between the picture and the reduced one; 1 for a narrow blur, which is computed as it is.
    let factor: Int
    /// The weights of the blur in the reduced picture, from -reach to reach.
    let kernel: [Float]
    let reach: Int
    /// The four weights of each of the `factor` pixels that are made from one pixel of the reduced picture.
    let expansion: [Float]

    private static let leastDeviation = 2.5
    private static let largestFactor = 1 << 12
    /// The kernel ends where it is less than 1 of 2,500 of its height.
    private static let deviationsInReach = 4.0

    /// - Parameter deviation: The standard deviation in pixels, more than 0.
    init(deviation: Double) {
        var factor = 1
        while Double(factor * 2) * Self.leastDeviation <= deviation, factor < Self.largestFactor { factor *= 2 }
        self.factor = factor
        let step = Double(factor)
        // A cubic B-spline has a third of its step's square as variance, and is applied twice.
        let variance = factor == 1 ? deviation * deviation : (deviation * deviation - step * step * 2 / 3)
        let narrow = min(variance.squareRoot() / step, 64)
        reach = max(1, Int((narrow * Self.deviationsInReach).rounded(.up)))
        let heights = (-reach...reach).map { exp(-0.5 * pow(Double($0) / narrow, 2)) }
        let sum = heights.reduce(0, +)
        kernel = heights.map { Float($0 / sum) }
        expansion = (0..<factor).flatMap { index in
            let place = (Double(index) + 0.5) / step
            return [1 + place, place, 1 - place, 2 - place].map { Float(Self.spline($0)) }
        }
    }

    /// The numbers along a side of `length` pixels.
    func axis(_ length: Int) -> BlurAxis { BlurAxis(length: length, plan: self) }

    /// The cubic B-spline.
    static func spline(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (4 + x * x * (3 * x - 6)) / 6 }
        return x < 2 ? pow(2 - x, 3) / 6 : 0
    }
}

/// The cells of the reduced picture along a side, beyond its edges as far as the blur reaches.
struct BlurAxis: Sendable {
    /// The number of blurred cells.
    let count: Int
    /// For each cell, the pixels and weights that it is made of. The first ``GaussianPlan/reach`` cells and the last
    /// ones are only for the blur.
    let reduction: TapList
    /// The pixels of the expanded picture before the first one of the picture.
    let lead: Int

    fileprivate init(length: Int, plan: GaussianPlan) {
        let factor = plan.factor
        lead = factor / 2
        let groups = (length - 1 + lead) / factor + 1
        count = factor == 1 ? length : groups + 3
        let first = (factor == 1 ? 0 : -2) - plan.reach
        reduction = TapList(first..<first + count + 2 * plan.reach) { cell in
            guard factor > 1 else { return [(min(max(cell, 0), length - 1), 1)] }
            let center = (Double(cell) + 0.5) * Double(factor) - 0.5
            let pixels = Int((center - 2 * Double(factor)).rounded(.up))...Int(center + 2 * Double(factor))
            return pixels.map { pixel in
                // Edges are extended: what lies beyond them has their colour.
                (min(max(pixel, 0), length - 1), GaussianPlan.spline((Double(pixel) - center) / Double(factor)))
            }
        }
    }

    /// The group of cells that pixel `index` is made of, as the first of its four blurred cells.
    func group(of index: Int, factor: Int) -> Int { factor == 1 ? index : (index + lead) / factor }
}

/// For each result, adjacent pixels and their weights, which sum to 1.
struct TapList: Sendable {
    private(set) var starts: [Int32] = []
    private(set) var counts: [Int32] = []
    private(set) var weights: [Float] = []
    let stride: Int

    /// Weights of the same pixel are added up.
    init(_ results: Range<Int>, _ taps: (Int) -> [(pixel: Int, weight: Double)]) {
        // Twice, instead of lists of all results at a time: a side may have many pixels.
        stride = results.reduce(0) { max($0, Self.weights(of: taps($1)).count) }
        weights.reserveCapacity(stride * results.count)
        for result in results {
            let taps = taps(result)
            let (first, list) = (taps.first?.pixel ?? 0, Self.weights(of: taps))
            let sum = list.reduce(0, +)
            starts.append(Int32(first))
            counts.append(Int32(list.count))
            weights += list.map { Float($0 / sum) } + Array(repeating: 0, count: stride - list.count)
        }
    }

    private static func weights(of taps: [(pixel: Int, weight: Double)]) -> [Double] {
        let first = taps.first?.pixel ?? 0
        return taps.reduce(into: []) { weights, tap in
            while weights.count <= tap.pixel - first { weights.append(0) }
            weights[tap.pixel - first] += tap.weight
        }
    }

    /// The pixels of result `index`.
    func pixels(of index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index] + counts[index]) }
}
