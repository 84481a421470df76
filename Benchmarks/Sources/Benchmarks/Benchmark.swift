/// One comparison of this library with a rival or with the theoretical minimum, measured alternately in one run.
protocol Benchmark: Sendable {
    /// Its name on the command line and in the results.
    static var id: String { get }
    /// Its description in the table.
    static var what: String { get }
    func run() async throws -> Measurement
}

/// The result of a benchmark.
struct Measurement: Codable, Sendable {
    var id: String
    var what: String
    /// The median of our values.
    var ours: Double
    var unit: String
    var rival: String
    var rivalValue: Double
    /// The median of the ratios ours/rival of adjacent turns; under 1 is better when the unit is a time.
    var ratio: Double
    /// The required ratio; nil where none is set.
    var goal: Double?
    /// The maximum of our value; nil where only the ratio counts.
    var ceiling: Double?
    /// The things that stand beside it, in words.
    var notes: String?

    /// Whether goal and ceiling are met; nil where neither is set.
    var isMet: Bool? {
        if let ceiling { return ours <= ceiling }
        return goal.map { ratio <= $0 }
    }
}

extension Benchmark {
    /// The result of a comparison.
    func measurement(
        _ outcome: Turns.Outcome, unit: String = "ms", rival: String, goal: Double? = nil, ceiling: Double? = nil
    ) -> Measurement {
        Measurement(
            id: Self.id, what: Self.what, ours: outcome.ours, unit: unit, rival: rival, rivalValue: outcome.rival,
            ratio: outcome.ratio, goal: goal, ceiling: ceiling)
    }
}
