/// One comparison: ours against a peer or against the bare limit, measured in turns within one run.
protocol Benchmark: Sendable {
    /// Names it on the command line and in the results.
    static var id: String { get }
    /// What is measured, for the table.
    static var what: String { get }
    func run() async throws -> Measurement
}

/// What came out of a benchmark.
struct Measurement: Codable, Sendable {
    var id: String
    var what: String
    /// The median of ours.
    var ours: Double
    var unit: String
    var rival: String
    var rivalValue: Double
    /// The median of the ratios ours/rival of neighbouring turns; under 1 is better when the unit is a time.
    var ratio: Double
    /// The ratio to reach; nil where none is set yet.
    var goal: Double?
    /// The most that ours may be, in its unit; nil where only the ratio counts.
    var ceiling: Double?

    /// Whether what was to be reached is; nil where nothing is set.
    var isMet: Bool? {
        if let ceiling { return ours <= ceiling }
        return goal.map { ratio <= $0 }
    }
}

extension Benchmark {
    /// What a comparison in turns came to.
    func measurement(
        _ outcome: Turns.Outcome, unit: String = "ms", rival: String, goal: Double? = nil, ceiling: Double? = nil
    ) -> Measurement {
        Measurement(
            id: Self.id, what: Self.what, ours: outcome.ours, unit: unit, rival: rival, rivalValue: outcome.rival,
            ratio: outcome.ratio, goal: goal, ceiling: ceiling)
    }
}
