import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestLoads
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles

/// Explanations compared with actual loads.
@Suite("Load explanation: truth", .timeLimit(.minutes(15)))
struct LoadExplanationTruthTests {
    private static let seeds: Range<UInt64> = 0..<1500
    private static let file = ScriptedCoder.file(4, 4)

    private struct Outcome {
        let result: Result<LoadResult, WebImageError>
        let asked: ImageLoadRequest?
        let trace: TraceRecorder
    }

    /// Runs the load to its end.
    private static func run(_ load: RandomLoad, with manager: WebImageManager) async throws -> Outcome {
        let trace = TraceRecorder()
        var request = load.request
        request.context.listener = trace
        let recorder = LoadRecorder()
        manager.load(request, completed: recorder.completed)
        let result = await recorder.outcome()
        try await trace.waitForEnd()
        return Outcome(result: result, asked: (manager.loader as? AnsweringLoader)?.requests.first, trace: trace)
    }

    private static func manager(of load: RandomLoad) -> WebImageManager {
        WebImageManager(cache: load.cache, loader: AnsweringLoader(file), coder: ScriptedCoder())
    }

    @Test("B10 a load that misses reads, loads and writes as explained, whatever its settings")
    func nothingThere() async throws {
        for seed in Self.seeds {
            let load = try RandomLoad(seed: seed)
            let manager = Self.manager(of: load)
            let explanation = manager.explain(load.request)
            try #require(load.filesRead.isEmpty, "seed \(seed): the explanation touched the disk")
            let outcome = try await Self.run(load, with: manager)

            let label = "seed \(seed): \(load.request.options)\n\(explanation)"
            try #require(load.filesRead == explanation.reads.filter { $0.tier == .disk }.map(\.key), "\(label)")
            try #require((outcome.asked != nil) == (explanation.loading != nil), "\(label)")
            if let asked = outcome.asked, let told = explanation.loading?.request {
                try #require(asked.priority == told.priority && asked.headers == told.headers, "\(label)")
                try #require(asked.timeout == told.timeout && asked.usesCookies == told.usesCookies, "\(label)")
                try #require(asked.allowsInvalidCertificates == told.allowsInvalidCertificates, "\(label)")
            }
            try #require((outcome.result.failure == nil) == (explanation.loading != nil), "\(label)")
            // The scripted pictures are not JPEGs.
            let isStill = !explanation.findings.contains(.firstFrameNotOnDisk)
            let written = explanation.writes.filter { isStill || $0.picture == .original || $0.tier == .memory }
            try #require(
                load.filesWritten == written.filter { $0.tier == .disk }.map(\.key.string).sorted(), "\(label)")
            try #require(
                load.picturesInMemory == Set(written.filter { $0.tier == .memory }.map(\.key)), "\(label)")
            try #require(outcome.trace.faults.isEmpty, "\(label)\n\(outcome.trace.faults)")
        }
    }

    @Test("B10 a picture in any place of the explanation is found there, after the places before it")
    func somewhere() async throws {
        for seed in Self.seeds {
            let load = try RandomLoad(seed: seed)
            let manager = Self.manager(of: load)
            let reads = manager.explain(load.request).reads
            guard !reads.isEmpty else { continue }
            let place = Int(seed) % reads.count
            try Self.put(in: reads[place], of: load)
            let explanation = manager.explain(load.request)
            let outcome = try await Self.run(load, with: manager)

            let label = "seed \(seed), place \(place): \(load.request.options)\n\(explanation)"
            try #require(reads[place].tier == .disk || explanation.reads[place].isFound == true, "\(label)")
            let result = try outcome.result.get()
            try #require(result.cacheType == reads[place].tier, "\(label)")
            let before = reads[...place].filter { $0.tier == .disk }.map(\.key)
            try #require(load.filesRead.prefix(before.count) == before[...], "\(label)")
            // A loader is asked for an existing picture only to refresh it.
            try #require(outcome.asked == nil || explanation.loading?.refreshes == true, "\(label)")
            try #require(outcome.trace.faults.isEmpty, "\(label)\n\(outcome.trace.faults)")
        }
    }

    @Test("a picture in any other place is not found")
    func elsewhere() async throws {
        for seed in Self.seeds.prefix(1000) {
            let load = try RandomLoad(seed: seed)
            let manager = Self.manager(of: load)
            let explanation = manager.explain(load.request)
            let keys = try #require(explanation.keys)
            for (cache, key) in [(load.cache, keys.result), (load.originalCache, keys.original)] {
                let places = explanation.reads.filter { load.cache(of: $0) === cache && $0.key == key }
                if !places.contains(where: { $0.tier == .disk }) { cache.put(Self.file, for: key) }
            }
            let outcome = try await Self.run(load, with: manager)
            try #require(outcome.result.failure != nil || outcome.asked != nil, "seed \(seed)\n\(explanation)")
        }
    }

    private static func put(in place: LoadExplanation.Access, of load: RandomLoad) throws {
        let cache = load.cache(of: place)
        if place.tier == .disk { return cache.put(file, for: place.key) }
        cache.storeInMemory(try ScriptedCoder().decode(file, options: ImageDecodeOptions()), for: place.key)
    }
}
