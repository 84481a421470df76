import CPixels
import Glibc
import WebImageCore

extension BitmapPair {
    /// The structural similarity of the pictures as its authors define it (Wang, Bovik, Sheikh, Simoncelli: Image quality
    /// assessment, IEEE Transactions on Image Processing 13/4, 2004): the mean over all places of a Gaussian window of
    /// 11 × 11 pixels (σ 1.5) that lies within the picture, of luma (ITU-R BT.601), with K1 = 0.01 and K2 = 0.03, at full
    /// size. 1 for equal pictures; nil where a side is shorter than the window.
    ///
    /// Transparent pictures are compared over black and over white, and the smaller value counts.
    ///
    /// Any thread; about 30 milliseconds per million pixels.
    /// - Throws: ``WebImageError/Code/cancelled``.
    package func structuralSimilarity(
        until cancellation: CancellationFlag? = nil
    ) throws(WebImageError) -> Double? {
        let overBlack = try similarity(over: 0, until: cancellation)
        guard !isOpaque, let overBlack, let overWhite = try similarity(over: 1, until: cancellation) else {
            return overBlack
        }
        return min(overBlack, overWhite)
    }

    private func similarity(
        over backdrop: Double, until cancellation: CancellationFlag?
    ) throws(WebImageError) -> Double? {
        let (width, height) = (size.width, size.height)
        guard var window = SimilarityWindow(width: width), height >= SimilarityWindow.side else { return nil }
        var sum = 0.0
        try forEachRow(until: cancellation) { _, first, second in
            window.append { firstLuma, secondLuma in
                switch depth {
                case .eight:
                    webimage_luma(first, backdrop, firstLuma, width)
                    webimage_luma(second, backdrop, secondLuma, width)
                case .sixteen:
                    webimage_deep_luma(first, backdrop, firstLuma, width)
                    webimage_deep_luma(second, backdrop, secondLuma, width)
                }
            }
            sum += window.sum
        }
        return sum / Double((width - SimilarityWindow.side + 1) * (height - SimilarityWindow.side + 1))
    }
}

/// The rows under the window, filtered from left to right.
private struct SimilarityWindow {
    static let side = Int(WEBIMAGE_WINDOW)
    /// C1 and C2 of the definition, for luma from 0 to 1.
    private static let constants = (0.01 * 0.01, 0.03 * 0.03)
    private static let deviation = 1.5
    /// The numbers for each place in a row: see `webimage_filter_lumas`.
    private static let means = 5

    /// Of one dimension; the sum is 1.
    private static let weights: [Double] = {
        let bell = (0..<side).map { exp(-pow(Double($0 - side / 2), 2) / (2 * deviation * deviation)) }
        let sum = bell.reduce(0, +)
        return bell.map { $0 / sum }
    }()

    /// The places of the window in a row.
    private let count: Int
    private var lumas: ([Double], [Double])
    /// A ring, in which the place of the next row is that of the uppermost one.
    private var rows: [Double]
    private var rowCount = 0

    /// nil where the window is wider than the rows.
    init?(width: Int) {
        guard width >= Self.side else { return nil }
        count = width - Self.side + 1
        lumas = (Array(repeating: 0, count: width), Array(repeating: 0, count: width))
        rows = Array(repeating: 0, count: Self.side * Self.means * count)
    }

    /// Moves the window down by a row.
    ///
    /// - Parameter fill: Writes the luma of both pictures' next row.
    mutating func append(fill: (UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Void) {
        fill(&lumas.0, &lumas.1)
        let place = rowCount % Self.side * Self.means * count
        rows.withUnsafeMutableBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            webimage_filter_lumas(lumas.0, lumas.1, Self.weights, base + place, count)
        }
        rowCount += 1
    }

    /// The sum of the similarities at all places of the window in its row; 0 until it is full.
    var sum: Double {
        guard rowCount >= Self.side else { return 0 }
        let (luma, contrast) = Self.constants
        return webimage_sum_similarities(rows, rowCount % Self.side, Self.weights, luma, contrast, count)
    }
}
