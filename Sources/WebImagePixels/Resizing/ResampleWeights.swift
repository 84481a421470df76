import CPixels
import WebImageCore

/// For each result along one side, the source cells and weights of its weighted sum.
///
/// Weights are fixed-point numbers that sum to exactly 1 for each result, so that an even colour is unchanged.
struct ResampleWeights {
    let starts: [Int32]
    let tapCounts: [Int32]
    /// `stride` weights for each result, the unused ones 0.
    let weights: [Int16]
    /// The same without rounding, for 16 bits a channel; empty otherwise.
    let deepWeights: [Float]
    /// A multiple of the kernel's group size.
    let stride: Int
    /// The largest of `tapCounts`.
    let maximumTapCount: Int
    /// The cells that are needed; ``starts`` is relative to the first of them.
    let cells: Range<Int>

    /// The number of pixels that the kernel may read after the last one.
    static let padding = Int(WEBIMAGE_TAP_GROUP) - 1

    private static let one = 1 << Int(WEBIMAGE_WEIGHT_BITS)

    /// - Parameters:
    ///   - sourceLength: The side in cells; fractional where the last cell is partial.
    ///   - cellCount: The number of cells: `sourceLength` rounded up.
    ///   - count: The number of results along the whole side.
    ///   - part: The range of results that is needed; nil for all.
    init(
        sourceLength: Double, cellCount: Int, count: Int, part: Range<Int>? = nil, depth: PixelDepth = .eight,
        filter: ResamplingFilter = .lanczos3
    ) {
        // A box is the area of the result's pixel, also where that is smaller than a cell, and cuts cells at its ends.
        let ratio = max(filter == .box ? 0 : 1, sourceLength / Double(count))
        let reach = filter.support * ratio + (filter == .box ? 0.5 : 0)
        let stride = (min(cellCount, Int(reach.rounded(.up)) * 2 + 1) + Self.padding) & ~Self.padding
        let centers = (part ?? 0..<count).map { (Double($0) + 0.5) * sourceLength / Double(count) }
        let runs = centers.map { max(0, Int($0 - reach + 0.5))..<min(cellCount, Int($0 + reach + 0.5)) }
        var weights = [Int16](repeating: 0, count: depth == .eight ? stride * runs.count : 0)
        var deepWeights = [Float](repeating: 0, count: depth == .sixteen ? stride * runs.count : 0)
        // Reused for all results: a thumbnail has hundreds.
        var taps: [Double] = []
        for (index, (center, run)) in zip(centers, runs).enumerated() {
            taps.removeAll(keepingCapacity: true)
            taps.append(
                contentsOf: run.lazy.map { filter.weight(at: (Double($0) + 0.5 - center) / ratio, length: 1 / ratio) })
            let (sum, first) = (taps.reduce(0, +), index * stride)
            switch depth {
            case .eight: Self.set(&weights, from: first, to: taps, sum: sum)
            case .sixteen: for (tap, weight) in taps.enumerated() { deepWeights[first + tap] = Float(weight / sum) }
            }
        }
        let cells = part == nil ? 0..<cellCount : (runs.first?.lowerBound ?? 0)..<(runs.last?.upperBound ?? 0)
        starts = runs.map { Int32($0.lowerBound - cells.lowerBound) }
        tapCounts = runs.map { Int32($0.count) }
        self.weights = weights
        self.deepWeights = deepWeights
        self.stride = stride
        self.cells = cells
        maximumTapCount = Int(tapCounts.max() ?? 0)
    }

    /// The source cells of result `index`.
    func cells(of index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index] + tapCounts[index]) }

    /// Converts `taps` to fixed-point numbers. Each takes over the rounding error of the one before it: so the sum is exact,
    /// and where a weight is less than the smallest number, some of the taps count for their neighbours.
    private static func set(_ weights: inout [Int16], from first: Int, to taps: [Double], sum: Double) {
        var (exact, rounded) = (0.0, 0)
        for (tap, weight) in taps.enumerated() {
            exact += weight / sum * Double(one)
            let next = tap == taps.count - 1 ? one : Int(exact.rounded())
            weights[first + tap] = Int16(next - rounded)
            rounded = next
        }
    }
}
