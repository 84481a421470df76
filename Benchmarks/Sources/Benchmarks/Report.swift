import FoundationEssentials
import Glibc

/// Runs benchmarks and reports the results: a table on the terminal, and a file for machines.
struct Report {
    let path: String?
    /// The ids of all benchmarks, including those that this machine cannot run.
    let ids: Set<String>

    func run(_ benchmarks: [any Benchmark], only: [String]) async throws {
        let known = benchmarks.map { type(of: $0).id }
        if let unknown = only.first(where: { !known.contains($0) }) {
            throw BenchmarkError("there is no \(unknown); choose from \(known.joined(separator: ", "))")
        }
        // Drops the results of removed benchmarks, which cannot be measured again.
        var results = only.isEmpty ? [] : try earlierResults().filter { ids.contains($0.id) }
        print(row("what", "ours", "rival", "ours/rival"))
        for benchmark in benchmarks where only.isEmpty || only.contains(type(of: benchmark).id) {
            let result = try await benchmark.run()
            results.removeAll { $0.id == result.id }
            results.append(result)
            print(line(result))
            if let notes = result.notes { print("  \(notes)") }
            fflush(nil)
        }
        try write(results)
        // Counts are equal in every run: exceeding the threshold in git is an error, not noise.
        if let fault = results.first(where: { $0.unit.isEmpty && $0.isMet == false }) {
            throw BenchmarkError(
                "\(fault.what): \(number(fault.ours)); thresholds.json allows \(number(fault.ceiling ?? 0))")
        }
    }

    private func line(_ result: Measurement) -> String {
        let rival = "\(number(result.rivalValue)) \(result.unit)  \(result.rival)"
        let aim =
            result.ceiling.map { "at most \(number($0)) \(result.unit)" } ?? result.goal.map { "goal \(number($0))" }
        let goal = aim.map { ", \($0)\(result.isMet == true ? "" : " MISSED")" } ?? ""
        return row(result.what, "\(number(result.ours)) \(result.unit)", rival, number(result.ratio) + goal)
    }

    private func row(_ what: String, _ ours: String, _ rival: String, _ ratio: String) -> String {
        [what.padded(to: 54), ours.padded(to: 12), rival.padded(to: 52), ratio].joined(separator: " ")
    }

    private func number(_ value: Double) -> String {
        if value >= 100 { return "\(Int(value.rounded()))" }
        return "\((value * 100).rounded() / 100)"
    }

    private func earlierResults() throws -> [Measurement] {
        guard let path, let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
        return try JSONDecoder().decode([Measurement].self, from: data)
    }

    private func write(_ results: [Measurement]) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(results).write(to: URL(filePath: path))
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
