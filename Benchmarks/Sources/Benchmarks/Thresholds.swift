import FoundationEssentials

/// The limits of benchmarks, from `thresholds.json` beside the results: changing one is a change in git.
enum Thresholds {
    static func ceiling(of id: String) throws -> Double {
        let thresholds = try JSONDecoder().decode(
            [String: Double].self, from: try Data(contentsOf: URL(filePath: "thresholds.json")))
        guard let threshold = thresholds[id] else { throw BenchmarkError("thresholds.json has no \(id)") }
        return threshold
    }
}
