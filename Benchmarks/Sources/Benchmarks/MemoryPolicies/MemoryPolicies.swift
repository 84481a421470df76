/// The hit rate of the memory cache beside other eviction policies: a table, and as the figure its largest distance
/// from the best policy.
struct MemoryPolicies: Benchmark {
    static let id = "memory-policies"
    static let what = "memory cache, worst distance from the best policy"

    func run() async throws -> Measurement {
        let policies = NamedPolicy.all
        print(line("hit ratio in %, of trace and capacity", policies.map(\.name)))
        var gaps = [Double](repeating: 0, count: policies.count)
        for trace in try MemoryTrace.all() {
            for share in trace.shares {
                let capacity = Int(Double(trace.totalCost) * share)
                let ratios = policies.map { Self.hitRatio(of: $0.make(trace, capacity), on: trace) * 100 }
                print(line("\(trace.name), \(text(share * 100)) % of the bytes", ratios.map(text)))
                let best = ratios.max() ?? 0
                gaps = zip(gaps, ratios).map { max($0, best - $1) }
            }
        }
        print(line("worst distance from the best, points", gaps.map(text)))
        let (ours, rival) = (gaps[policies.count - 1], gaps[1])
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "points", rival: "LRU", rivalValue: rival,
            ratio: ours / rival, goal: 0.8)
    }

    private static func hitRatio(of policy: any EvictionPolicy, on trace: MemoryTrace) -> Double {
        var policy = policy
        var hits = 0
        for picture in trace.requests where policy.request(picture) { hits += 1 }
        return Double(hits) / Double(trace.requests.count)
    }

    private func line(_ name: String, _ columns: [String]) -> String {
        columns.reduce(name + String(repeating: " ", count: max(0, 40 - name.count))) { line, column in
            line + String(repeating: " ", count: max(1, 12 - column.count)) + column
        }
    }

    private func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
