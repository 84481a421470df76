import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Originals of a list", .timeLimit(.minutes(5)))
@MainActor
struct OriginalPrefetcherTests {
    private let bench = ManagerBench()
    private let prefetcher: OriginalPrefetcher

    init() {
        let manager = bench.manager
        prefetcher = OriginalPrefetcher { index in
            guard let url = try? ManagerBench.url("\(index).jpg") else { return nil }
            let photo = Photo(url: url)
            photo.context.manager = manager
            return (photo, .square(5))
        }
    }

    private var inMemory: Set<String> { Set(bench.cache.memory.keys.map { $0.original.string }) }

    private func names(_ range: Range<Int>) -> Set<String> {
        Set(range.map { ManagerBench.key("\($0).jpg").string })
    }

    /// Finishes all transfers until memory has the originals of the range.
    private func finish(_ range: Range<Int>) async throws {
        while !names(range).isSubset(of: inMemory) {
            for load in bench.loader.loads where !load.isEnded { load.finish(ScriptedCoder.file(10, 10)) }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("S2-3 memory has the originals of what is visible, and of nothing that was")
    func scrolling() async throws {
        prefetcher.show(0..<3, itemCount: 100)
        try await finish(0..<3)
        #expect(inMemory == names(0..<3))
        prefetcher.show(2..<5, itemCount: 100)
        #expect(inMemory == names(2..<3))
        try await finish(3..<5)
        #expect(inMemory == names(2..<5))
        prefetcher.show(0..<3, itemCount: 100)
        try await finish(0..<3)
        #expect(inMemory == names(0..<3), "what is visible again is there again")
        prefetcher.stop()
        #expect(inMemory.isEmpty)
    }

    @Test("memory lets go of the originals of thumbnails that are covered, and gets them again afterwards")
    func resting() async throws {
        prefetcher.show(0..<3, itemCount: 100)
        try await finish(0..<3)
        prefetcher.isResting = true
        #expect(inMemory.isEmpty)
        let count = bench.loader.loads.count
        prefetcher.show(50..<53, itemCount: 100)
        #expect(bench.loader.loads.count == count)
        prefetcher.isResting = false
        try await finish(50..<53)
        #expect(inMemory == names(50..<53))
    }

    @Test("what an app without a network could not load is loaded once there is one")
    func offline() async throws {
        bench.manager.isOffline = true
        prefetcher.show(0..<3, itemCount: 3)
        while prefetcher.hasRunningLoads {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bench.loader.loads.isEmpty)
        bench.manager.isOffline = false
        prefetcher.show(0..<3, itemCount: 3)
        try await finish(0..<3)
    }

    @Test("what memory has dropped by itself is there again after the thumbnails were covered")
    func dropped() async throws {
        prefetcher.show(0..<3, itemCount: 3)
        try await finish(0..<3)
        while prefetcher.hasRunningLoads {
            try Task.checkCancellation()
            await Task.yield()
        }
        bench.cache.clear(.memory, completion: nil)
        prefetcher.isResting = true
        prefetcher.isResting = false
        try await finish(0..<3)
    }

    @Test("memory lets go of what comes while the thumbnails are covered")
    func comingWhileCovered() async throws {
        prefetcher.show(0..<3, itemCount: 3)
        _ = try await bench.transfer(3)
        prefetcher.isResting = true
        for load in bench.loader.loads { load.finish(ScriptedCoder.file(10, 10)) }
        while prefetcher.hasRunningLoads {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(inMemory.isEmpty)
    }

    @Test("a load that runs when the thumbnails are covered goes on, and no other begins")
    func runningLoads() async throws {
        prefetcher.show(0..<10, itemCount: 10)
        _ = try await bench.transfer(3)
        prefetcher.isResting = true
        #expect(bench.loader.loads.allSatisfy { !$0.isEnded })
        bench.loader.loads[0].finish(ScriptedCoder.file(10, 10))
        while bench.cache.disk.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bench.loader.loads.count == 3)
        prefetcher.isResting = false
        try await finish(0..<10)
    }
}
