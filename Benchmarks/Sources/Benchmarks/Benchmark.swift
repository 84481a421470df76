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

/// Runs two things in turns, so that whatever else the machine does hits both alike.
struct Turns {
    var count = 9
    /// Turns that are not counted: caches and clocks warm up.
    var warmUp = 2

    struct Outcome {
        /// Of the turns in which the machine did the least besides.
        let best: (ours: Double, rival: Double)
        let ours: Double
        let rival: Double
        let ratio: Double
    }

    func compare(ours: () async throws -> Double, rival: () async throws -> Double) async rethrows -> Outcome {
        var pairs: [(ours: Double, rival: Double)] = []
        for turn in 0..<(count + warmUp) {
            let pair = (ours: try await ours(), rival: try await rival())
            if turn >= warmUp { pairs.append(pair) }
        }
        return Outcome(
            best: (ours: pairs.map(\.ours).min() ?? .nan, rival: pairs.map(\.rival).min() ?? .nan),
            ours: pairs.map(\.ours).median, rival: pairs.map(\.rival).median,
            ratio: pairs.map { $0.ours / $0.rival }.median)
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        guard let middle = sorted.indices.dropFirst(sorted.count / 2).first else { return .nan }
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Seconds that `work` takes.
func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start).seconds
}

/// Seconds that `work` takes.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start).seconds
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
