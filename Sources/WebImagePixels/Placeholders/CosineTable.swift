import Glibc

/// The cosine waves along one side of a picture: the first is constant, and each has half a period more than the one
/// before it.
///
/// Sums over rows and columns are taken one after the other: for a picture of n × n pixels and k × k waves that is
/// about k·n² products, not k²·n².
struct CosineTable {
    let waveCount: Int
    let length: Int
    /// The waves of each place, one place after the other.
    private let values: [Double]

    /// - Parameter phase: The part of a pixel from its edge to the place where a wave is taken: 0 or ½.
    init(waveCount: Int, length: Int, phase: Double) {
        self.waveCount = waveCount
        self.length = length
        values = (0..<length).flatMap { place in
            (0..<waveCount).map { cos(.pi * Double($0) * (Double(place) + phase) / Double(length)) }
        }
    }

    /// For each wave along each side the mean of the samples times both waves, the waves of a row one after the other.
    static func means(
        of samples: [SIMD4<Double>], columns: CosineTable, rows: CosineTable
    ) -> [SIMD4<Double>] {
        var sums = [SIMD4<Double>](repeating: .zero, count: columns.waveCount * rows.waveCount)
        var rowSums = [SIMD4<Double>](repeating: .zero, count: columns.waveCount)
        for y in 0..<rows.length {
            for wave in rowSums.indices { rowSums[wave] = .zero }
            for x in 0..<columns.length {
                let sample = samples[y * columns.length + x]
                for wave in rowSums.indices { rowSums[wave] += sample * columns.values[x * columns.waveCount + wave] }
            }
            for row in 0..<rows.waveCount {
                let factor = rows.values[y * rows.waveCount + row]
                for wave in rowSums.indices { sums[row * columns.waveCount + wave] += rowSums[wave] * factor }
            }
        }
        let count = Double(columns.length * rows.length)
        return sums.map { $0 / count }
    }

    /// Calls `body` for each pixel in order with the sum of `coefficients` times both waves.
    static func forEachSum(
        of coefficients: [SIMD4<Double>], columns: CosineTable, rows: CosineTable, _ body: (SIMD4<Double>) -> Void
    ) {
        var rowSums = [SIMD4<Double>](repeating: .zero, count: columns.waveCount)
        for y in 0..<rows.length {
            for wave in rowSums.indices {
                rowSums[wave] = .zero
                for row in 0..<rows.waveCount {
                    let height: Double = rows.values[y * rows.waveCount + row]
                    rowSums[wave] += coefficients[row * columns.waveCount + wave] * height
                }
            }
            for x in 0..<columns.length {
                var sum = SIMD4<Double>.zero
                for wave in rowSums.indices { sum += rowSums[wave] * columns.values[x * columns.waveCount + wave] }
                body(sum)
            }
        }
    }
}
