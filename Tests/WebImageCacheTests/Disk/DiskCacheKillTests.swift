import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

/// Hundreds of programs are started, each of which takes seconds under a sanitizer on a busy machine: hence the limits.
@Suite("Disk cache: processes that are killed, and processes that share")
struct DiskCacheKillTests {
    private static let keys = 0..<40
    private let directory: CacheDirectory

    init() throws { directory = try CacheDirectory.inMemory() }

    private static let program = Program.executable.deletingLastPathComponent().appending(path: "webimage-hammer")

    @Test(
        "complaint 11: a process that stores, overwrites, removes and evicts is killed at 300 instants, and every entry reads back whole or is absent",
        .timeLimit(.minutes(30)))
    func killed() async throws {
        var random = SeededGenerator(seed: 20)
        for round in 0..<300 {
            try await killHammer(after: Int.random(in: 1...300, using: &random), seed: UInt64(round))
            try expectWhole("killed in round \(round)")
        }
    }

    /// Starts a hammer process, and kills it after its `count`th operation, while it continues.
    private func killHammer(after count: Int, seed: UInt64) async throws {
        let output = Pipe()
        let hammer = try ChildProcess(
            Self.program, [directory.path, String(seed), "1000000"], output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let steps = await onThread { Self.bytes(count, from: output.fileHandleForReading) }
        kill(hammer.identifier, SIGKILL)
        #expect(await hammer.wait() == SIGKILL && steps == count)
    }

    /// The number of bytes, `count` at most, before the end of the pipe.
    private static func bytes(_ count: Int, from handle: FileHandle) -> Int {
        var rest = count
        while rest > 0, let data = try? handle.read(upToCount: rest), !data.isEmpty { rest -= data.count }
        return count - rest
    }

    /// Reads every entry of the hammer and compares the totals with the files.
    private func expectWhole(_ comment: Comment) throws {
        let warnings = CollectedWarnings()
        let cache = directory.cache(warnings: warnings)
        // Counted before any read: a read of a file that the index does not know adds it to the index.
        let usage = cache.usage()
        let present = Self.keys.filter { cache.contains(CacheKey("\($0)")) }
        var found: [Int] = []
        for key in Self.keys {
            guard let entry = try cache.entry(for: CacheKey("\(key)")) else { continue }
            #expect(CacheHammer.isEntry(entry, ofKey: key), comment)
            found.append(key)
        }
        #expect(warnings.all.isEmpty, comment)
        #expect(present == found, comment)
        let verification = try cache.verify()
        #expect(verification.entryCount == found.count && verification.problemCount == 0, comment)
        let files = DiskCacheUsage(count: found.count, byteCount: verification.byteCount)
        #expect(usage == files && directory.cache().usage() == files, comment)
    }

    @Test(
        "complaint 11: processes are killed at 100 instants, and the totals of a surviving process always equal the files",
        .timeLimit(.minutes(30)))
    func survivor() async throws {
        var random = SeededGenerator(seed: 21)
        let survivor = directory.cache()
        for round in 0..<100 {
            try await killHammer(after: Int.random(in: 1...200, using: &random), seed: UInt64(round))
            let usage = survivor.usage()
            let verification = try survivor.verify()
            let files = DiskCacheUsage(count: verification.entryCount, byteCount: verification.byteCount)
            #expect(usage == files, "killed in round \(round)")
            for key in Self.keys.map({ CacheKey("\($0)") }) {
                let isThere = survivor.contains(key)
                #expect(try (survivor.entry(for: key) != nil) == isThere, "killed in round \(round)")
            }
            #expect(survivor.usage() == directory.cache().usage(), "killed in round \(round)")
        }
    }

    @Test("two processes change one cache at once: no wrong bytes, no crash, no damaged file", .timeLimit(.minutes(30)))
    func twoProcesses() async throws {
        let hammers = try (1...2).map { try ChildProcess(Self.program, [directory.path, "\($0)", "3000"]) }
        let path = directory.path
        let own = await onThread {
            var hammer = CacheHammer(directory: path, seed: 3)
            return Result { try hammer.run(operations: 3000) }
        }
        for hammer in hammers { #expect(await hammer.wait() == 0) }
        #expect(throws: Never.self) { try own.get() }
        try expectWhole("after the hammers")
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}
