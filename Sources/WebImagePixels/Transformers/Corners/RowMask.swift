/// The effect of a shape on the pixels of one row; other pixels are unchanged.
struct RowMask: Sendable, Hashable {
    /// Adjacent pixels, each with its coverage, 0 to 1.
    struct Run: Sendable, Hashable {
        let start: Int
        let coverage: [Float]
    }

    /// The columns that are cleared.
    let cleared: [Range<Int>]
    let runs: [Run]

    var isEmpty: Bool { cleared.isEmpty && runs.isEmpty }

    /// Keeps the pixels within `shape`.
    init(clippingTo shape: RoundedRectangle, row: Int, width: Int) {
        let touched = shape.touchedColumns(ofRow: row)
        let full = shape.fullColumns(ofRow: row)
        cleared = [0..<touched.lowerBound, touched.upperBound..<width].filter { !$0.isEmpty }
        runs = Self.runs(touched, without: full) { shape.coverage(x: $0, y: row) }
    }

    /// Covers the pixels within `outer` and outside of `inner`, which lies within it.
    init(between outer: RoundedRectangle, and inner: RoundedRectangle?, row: Int) {
        let touched = outer.touchedColumns(ofRow: row)
        let hole = inner?.fullColumns(ofRow: row) ?? touched.upperBound..<touched.upperBound
        let solid = outer.fullColumns(ofRow: row)
        let thin = inner?.touchedColumns(ofRow: row) ?? 0..<0
        cleared = []
        runs = Self.runs(touched, without: hole.isEmpty ? touched.upperBound..<touched.upperBound : hole) {
            // A wide line is mostly solid.
            if solid.contains($0), !thin.contains($0) { return 1 }
            return outer.coverage(x: $0, y: row) - (inner?.coverage(x: $0, y: row) ?? 0)
        }
    }

    private static func runs(
        _ columns: Range<Int>, without middle: Range<Int>, coverage: (Int) -> Double
    ) -> [Run] {
        [columns.lowerBound..<middle.lowerBound, middle.upperBound..<columns.upperBound]
            .filter { !$0.isEmpty }
            .map { Run(start: $0.lowerBound, coverage: $0.map { Float(coverage($0)) }) }
    }
}
