import FoundationEssentials
import Glibc

/// The slowest hundredth of answers against the median, at four fifths of the highest rate.
struct ServiceLatency: Benchmark {
    static let id = "serve-latency"
    static let what = "p99 of a JPEG of 3 MP to 500 px at 80 % of the highest rate"

    func run() async throws -> Measurement {
        let folder = try ServedFolder()
        let service = try WebImageService()
        let target = WebImageService.newTarget(folder.url(.smallJPEG))
        let best = try ServiceOverload.bestRate(service.port, target)
        let outcome = try RequestLoad(
            port: service.port, connectionCount: 64, rate: best * 0.8, seconds: 20,
            target: ServiceOverload.later(target)
        ).run()
        let (median, slow) = (outcome.milliseconds(0.5), outcome.milliseconds(0.99))
        return Measurement(
            id: Self.id, what: Self.what, ours: slow, unit: "ms", rival: "the median", rivalValue: median,
            ratio: slow / median, goal: 4, notes: "\(Int(best * 0.8)) of \(Int(best)) pictures a second")
    }
}

/// Ten times the rate that can be served, for two minutes.
struct ServiceOverload: Benchmark {
    static let id = "serve-overload"
    static let what = "Milliseconds for a picture at ten times the load"

    func run() async throws -> Measurement {
        let folder = try ServedFolder()
        let service = try WebImageService()
        let target = WebImageService.newTarget(folder.url(.smallJPEG))
        let best = try Self.bestRate(service.port, target)
        let before = service.program.megabytes("VmRSS")
        let outcome = try RequestLoad(
            port: service.port, connectionCount: 400, rate: best * 10, seconds: 120, target: Self.later(target)
        ).run()
        let during = service.program.megabytes("VmHWM")
        let after = try RequestLoad(
            port: service.port, connectionCount: 1, seconds: 1,
            target: WebImageService.newTarget(folder.url(.smallJPEG))
        ).run()
        let served = outcome.rate()
        return Measurement(
            id: Self.id, what: Self.what, ours: 1000 / served, unit: "ms", rival: "at the highest rate",
            rivalValue: 1000 / best, ratio: best / served, goal: 1 / 0.9,
            notes: "\(outcome.count(429)) refusals, p50 \(Self.text(outcome.milliseconds(0.5, 429))) and p99 "
                + "\(Self.text(outcome.milliseconds(0.99, 429))) ms (goal 10); served ones waited "
                + "\(Self.text(outcome.milliseconds(0.5))) ms; memory \(Int(before)) MB before, \(Int(during)) at most; "
                + "then p50 \(Self.text(after.milliseconds(0.5))) ms")
    }

    private static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// The highest of three.
    static func bestRate(_ port: UInt16, _ target: @escaping @Sendable (Int) -> String) throws -> Double {
        try (1...3).map { turn in
            try RequestLoad(port: port, connectionCount: 8, seconds: 5) { target($0 + turn * 1_000_000) }.run().rate()
        }.max() ?? 0
    }

    /// Targets of a later load.
    static func later(_ target: @escaping @Sendable (Int) -> String) -> @Sendable (Int) -> String {
        { target($0 + 100_000_000) }
    }
}

/// Memory after a hundred thousand requests of many kinds, against that after the first second.
struct ServiceGrowth: Benchmark {
    static let id = "serve-growth"
    static let what = "Memory after 100,000 mixed requests"

    func run() async throws -> Measurement {
        let folder = try ServedFolder()
        let service = try WebImageService(["--queue", "100000"])
        let source = folder.url(.icon)
        let target = WebImageService.newTarget(source, width: 32)
        let mixed = { @Sendable (number: Int) -> String in
            switch number % 20 {
            case 0: target(number)
            case 1: "/unsafe/w:32/plain/\(source).none"
            case 2: "/unsafe/nothing:32/plain/\(source)"
            case 3: "/unsafe/w:\(number % 200 + 10)/f:webp/plain/\(source)"
            default: "/unsafe/w:\(number % 50 + 10)/plain/\(source)"
            }
        }
        var memory: [Double] = []
        var count = 0
        while count < 100_000 {
            let start = count
            let outcome = try RequestLoad(port: service.port, connectionCount: 8, seconds: count == 0 ? 1 : 5) {
                mixed($0 + start)
            }.run()
            count += outcome.times.values.map(\.count).reduce(0, +)
            memory.append(service.program.megabytes("RssAnon"))
        }
        guard let first = memory.first, let last = memory.last else { throw BenchmarkError("no request was sent") }
        return Measurement(
            id: Self.id, what: Self.what, ours: last, unit: "MB", rival: "after the first second", rivalValue: first,
            ratio: last / first, goal: 1.2, notes: "\(count) requests")
    }
}
