import Foundation
import Synchronization
import WebImageCore

/// The service's own counts, for `/metrics`. Any thread.
final class ServiceMetrics: Sendable {
    private struct State {
        var requests: [String: Int] = [:]
        var results: [String: Int] = [:]
        var fetchedBytes = 0
        var sentBytes = 0
        var refusals = 0
        var purges = 0
        var requestTimes = Histogram()
        var fetchTimes = Histogram()
        var waitTimes = Histogram()
        var decodeTimes = Histogram()
    }

    private let state = Mutex(State())

    func noteFetch(seconds: Double, bytes: Int) {
        state.withLock { state in
            state.fetchedBytes += bytes
            state.fetchTimes.add(seconds)
        }
    }

    func noteWait(seconds: Double) { state.withLock { $0.waitTimes.add(seconds) } }

    func noteDecode(seconds: Double) {
        state.withLock { $0.decodeTimes.add(seconds) }
    }

    func notePurge() { state.withLock { $0.purges += 1 } }

    /// - Parameters:
    ///   - format: Of the picture that was sent; nil for none.
    ///   - origin: Where it has come from; nil for none.
    func noteAnswer(status: Int, format: String?, origin: String?, bytes: Int, seconds: Double) {
        state.withLock { state in
            state.requests["status=\"\(status)\",format=\"\(format ?? "none")\"", default: 0] += 1
            if let origin { state.results[origin, default: 0] += 1 }
            if status == 429 { state.refusals += 1 }
            state.sentBytes += bytes
            state.requestTimes.add(seconds)
        }
    }

    /// The text of `/metrics` (Prometheus' text format, version 0.0.4).
    ///
    /// - Parameter gauges: What is counted elsewhere, by name.
    func text(_ gauges: KeyValuePairs<String, Int>) -> String {
        let state = state.withLock { $0 }
        let counters: KeyValuePairs = [
            "source_fetches": state.fetchTimes.count, "source_bytes": state.fetchedBytes,
            "decodes": state.decodeTimes.count,
            "sent_bytes": state.sentBytes, "refusals": state.refusals, "purges": state.purges,
        ]
        var lines = Self.family("requests", "counter", state.requests.map { ($0.key, $0.value) })
        lines += Self.family("results", "counter", state.results.map { ("from=\"\($0.key)\"", $0.value) })
        for (name, value) in counters {
            lines += ["# TYPE webimage_\(name)_total counter", "webimage_\(name)_total \(value)"]
        }
        for (name, value) in gauges { lines += ["# TYPE webimage_\(name) gauge", "webimage_\(name) \(value)"] }
        let times = [
            ("request_seconds", state.requestTimes), ("source_seconds", state.fetchTimes),
            ("queue_seconds", state.waitTimes), ("making_seconds", state.decodeTimes),
        ]
        for (name, histogram) in times {
            lines += ["# TYPE webimage_\(name) histogram"] + histogram.lines("webimage_\(name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func family(_ name: String, _ type: String, _ values: [(String, Int)]) -> [String] {
        ["# TYPE webimage_\(name)_total \(type)"]
            + values.sorted { $0.0 < $1.0 }.map { "webimage_\(name)_total{\($0.0)} \($0.1)" }
    }

    /// Bytes of memory that the process has, without pages of files.
    static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
    }
}
