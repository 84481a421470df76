/// Three rows of three numbers: between the primaries of two colour spaces.
struct PrimaryMatrix: Sendable, Hashable {
    /// Row by row.
    let values: [Double]

    init(_ values: [Double]) { self.values = values }

    static let identity = PrimaryMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    func multiplied(by vector: [Double]) -> [Double] {
        (0..<3).map { row in
            let (first, second, third) = (values[row * 3], values[row * 3 + 1], values[row * 3 + 2])
            return first * vector[0] + second * vector[1] + third * vector[2]
        }
    }

    static func * (left: PrimaryMatrix, right: PrimaryMatrix) -> PrimaryMatrix {
        let columns = (0..<3).map { column in
            left.multiplied(by: (0..<3).map { right.values[$0 * 3 + column] })
        }
        return PrimaryMatrix((0..<9).map { columns[$0 % 3][$0 / 3] })
    }

    /// nil where the matrix is singular or nearly so.
    var inverse: PrimaryMatrix? {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3, (row + 2) % 3)
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return values[r1 * 3 + c1] * values[r2 * 3 + c2] - values[r1 * 3 + c2] * values[r2 * 3 + c1]
        }
        let determinant = values[0] * cofactor(0, 0) + values[1] * cofactor(0, 1) + values[2] * cofactor(0, 2)
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        return PrimaryMatrix((0..<9).map { cofactor($0 % 3, $0 / 3) / determinant })
    }
}
