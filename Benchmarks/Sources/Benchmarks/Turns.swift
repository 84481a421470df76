/// Runs two workloads alternately, so that other load on the machine affects both alike.
struct Turns {
    var count = 9
    /// Turns that are not counted, to warm up caches and clocks.
    var warmUp = 2

    struct Outcome {
        /// The minima over all turns, those with the least other load.
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

    /// Compares processor time of all threads in milliseconds.
    func compareProcessorTime(ours: () throws -> Void, rival: () throws -> Void) async rethrows -> Outcome {
        try await compare {
            try processorMilliseconds(ours)
        } rival: {
            try processorMilliseconds(rival)
        }
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
