/// How many values lie below each of some limits.
struct Histogram: Sendable {
    /// Seconds.
    static let limits = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    private var counts = [Int](repeating: 0, count: limits.count + 1)
    private var sum = 0.0

    /// Of all values.
    var count: Int { counts.reduce(0, +) }

    mutating func add(_ value: Double) {
        counts[Self.limits.firstIndex { value <= $0 } ?? Self.limits.count] += 1
        sum += value
    }

    /// In Prometheus' text format: how many values are at most as large as each limit.
    func lines(_ name: String) -> [String] {
        var (lines, total): ([String], Int) = ([], 0)
        for (limit, count) in zip(Self.limits.map { "\($0)" } + ["+Inf"], counts) {
            total += count
            lines.append("\(name)_bucket{le=\"\(limit)\"} \(total)")
        }
        return lines + ["\(name)_sum \(sum)", "\(name)_count \(total)"]
    }
}
