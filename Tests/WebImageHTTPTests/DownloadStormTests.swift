import CMalloc
import FoundationEssentials
import Glibc
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Thousands of downloads", .timeLimit(.minutes(5)))
struct DownloadStormTests {
    @Test("A1 ten thousand loads that are cancelled at random moments end once each, and leave nothing behind")
    func storm() async {
        // In a process of its own, whose threads and descriptors are all known.
        await #expect(processExitsWith: .success) {
            // Libraries keep memory and descriptors from their first use on, and tables their largest size.
            for seed in 1...2 { try await Storm(seed: UInt64(seed)).run(loads: 2500) }
            var growth = try await Self.growth(seeds: 3...6)
            // Threads of Swift and caches of libraries take their memory once, and a leak takes it again.
            if growth >= Self.leak { growth = try await Self.growth(seeds: 7...10) }
            #expect(growth < Self.leak)
        }
    }

    /// The smallest allocation takes 32 bytes, and would be 10,000 times as much if each load left one.
    private static let leak = 250_000

    /// How much memory ten thousand loads leave behind. They leave nothing else.
    private static func growth(seeds: ClosedRange<UInt64>) async throws -> Int {
        let before = try Leftovers()
        for seed in seeds { try await Storm(seed: seed).run(loads: 2500) }
        let after = try Leftovers()
        #expect(after.descriptors == before.descriptors)
        #expect(after.threads == before.threads)
        return after.byteCount - before.byteCount
    }
}

/// Loads of one downloader from one server, each cancelled at its own moment or not at all.
private struct Storm {
    private enum Moment: CaseIterable {
        case atOnce, atTheNextLoad, atTheStart, atTheFirstByte, never
    }

    let seed: UInt64

    /// Returns when all have ended, and neither the downloader nor the server is there any more.
    func run(loads count: Int) async throws {
        let origin = try LoopbackOrigin()
        for index in 0..<200 { origin.serve("/\(index)", OriginResponse(body: sampleBytes(100 * index))) }
        let endings = Endings(count)
        let downloader = WebImageDownloader.direct { $0.maxConcurrentDownloads = 32 }
        begin(count, origin, downloader, endings)
        await endings.wait()
        #expect(endings.counts.allSatisfy { $0 == 1 })
        #expect(downloader.currentDownloadCount == 0)
        origin.stop()
    }

    private func begin(_ count: Int, _ origin: LoopbackOrigin, _ downloader: WebImageDownloader, _ endings: Endings) {
        var generator = SeededGenerator(seed: seed)
        var cancelled: DeferredCancellation?
        for number in 0..<count {
            let moment = Moment.allCases.randomElement(using: &generator) ?? .never
            let cancellation = DeferredCancellation()
            let request = ImageLoadRequest(url: origin.url("/\(Int.random(in: 0..<200, using: &generator))"))
            cancellation.attach(
                downloader.load(request) { event in
                    switch event {
                    case .progress(let progress):
                        let isCancelled =
                            moment == .atTheStart || moment == .atTheFirstByte && progress.receivedByteCount > 0
                        if isCancelled { cancellation.cancel() }
                    case .data: break
                    case .finished: endings.note(number)
                    }
                })
            cancelled?.cancel()
            cancelled = moment == .atTheNextLoad ? cancellation : nil
            if moment == .atOnce { cancellation.cancel() }
        }
    }
}

/// How often each load has ended.
private final class Endings: Sendable {
    private let told: Observed<[Int]>

    init(_ count: Int) { told = Observed([Int](repeating: 0, count: count)) }

    var counts: [Int] { told.value }

    func note(_ number: Int) { told.update { $0[number] += 1 } }

    func wait() async { _ = try? await told.wait { !$0.contains(0) } }
}

/// The descriptors and threads that this process holds.
private struct Leftovers {
    let descriptors: Int
    let threads: Int
    let byteCount: Int

    init() throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Swift and Dispatch begin and end their own.
        threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { number in
            (try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8))?.hasPrefix("WebImage")
                ?? false
        }
        malloc_trim(0)
        byteCount = Int(mallinfo2().uordblks)
    }
}
