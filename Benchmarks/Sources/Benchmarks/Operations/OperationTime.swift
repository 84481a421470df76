import Glibc
import WebImage

/// An operation on twelve megapixels, against the same of other libraries, in turns and in one process (Pillow has its own,
/// which waits meanwhile).
struct OperationTime<Operation: PictureOperation, Share: ProcessorShare>: Benchmark {
    static var id: String { "\(Operation.id)-\(Share.id)" }
    static var what: String { "\(Operation.what), \(Share.title)" }

    private static var warmUp: Int { 2 }

    func run() async throws -> Measurement {
        let picture = try Operation.source.bitmap()
        let rivals = Operation.rivals
        let bench = try OperationBench(picture, needsPillow: rivals.contains(where: \.isPillow))
        try Share.apply()
        defer { try? AllProcessors.apply() }
        let result = try Operation.ours(picture)
        var (ours, others): ([Double], [[Double]]) = ([], rivals.map { _ in [] })
        for turn in 0..<Operation.turns + Self.warmUp {
            let mine = try Share.milliseconds { _ = try Operation.ours(picture) }
            let theirs = try rivals.map {
                try bench.milliseconds($0, byteCount: result.byteCount, Share.self)
            }
            guard turn >= Self.warmUp else { continue }
            ours.append(mine)
            for index in theirs.indices { others[index].append(theirs[index]) }
        }
        return try measurement(result, bench, ours, others)
    }

    private func measurement(
        _ result: Bitmap, _ bench: OperationBench, _ ours: [Double], _ others: [[Double]]
    ) throws -> Measurement {
        let rivals = Operation.rivals
        let fastest = rivals.indices.filter { rivals[$0].isCounted }.min { others[$0].median < others[$1].median }
        guard let fastest else { throw BenchmarkError("\(Self.id) has no rival") }
        let reference = Operation.reference.quality(for: bench.picture, height: result.size.height)
        let quality = result.withUnsafeBytes { reference.of($0, row: result.bytesPerRow) }
        var notes = ["ours \(decibels(quality)), \(try megabytes()) beside the result"]
        for (index, rival) in rivals.enumerated() {
            let theirs = try bench.quality(rival, reference)
            let time = "\((others[index].median * 10).rounded() / 10) ms"
            notes.append("\(rival.name) \(time)" + (theirs.map { " \(decibels($0))" } ?? ""))
        }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.median, unit: "ms", rival: rivals[fastest].name,
            rivalValue: others[fastest].median, ratio: zip(ours, others[fastest]).map { $0 / $1 }.median,
            goal: Operation.goal, notes: notes.joined(separator: "; "))
    }

    private func decibels(_ value: Double) -> String {
        value.isFinite ? "\((value * 10).rounded() / 10) dB" : "exact"
    }

    /// The memory that the operation takes at its peak, in a process of its own.
    private func megabytes() throws -> String {
        let peak = try Child.peakMegabytes(["operation-peak", Operation.id])
        return "\((peak * 10).rounded() / 10) MB"
    }
}

extension OperationRival {
    fileprivate var isPillow: Bool { if case .pillow = program { true } else { false } }
}

/// An operation by all processors against the same by one.
struct OperationScaling<Operation: PictureOperation>: Benchmark {
    static var id: String { "\(Operation.id)-scaling" }
    static var what: String { "\(Operation.what), all cores against one" }

    func run() async throws -> Measurement {
        let picture = try Operation.source.bitmap()
        defer { try? AllProcessors.apply() }
        let outcome = try await Turns().compare {
            try AllProcessors.apply()
            return try seconds { _ = try Operation.ours(picture) } * 1e3
        } rival: {
            try OneProcessor.apply()
            return try seconds { _ = try Operation.ours(picture) } * 1e3
        }
        // 1.8 times as fast.
        return measurement(outcome, rival: "one core", goal: 1 / 1.8)
    }
}
