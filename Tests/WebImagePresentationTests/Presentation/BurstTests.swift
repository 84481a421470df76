import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Many views that are bound at once, as a list's are.
@MainActor
@Suite("Views: a burst of binds is as much work as there are pictures", .timeLimit(.minutes(5)))
struct BurstTests {
    /// Called once for each new plan, and nowhere else.
    private final class CountingFilter: CacheKeyFilter {
        private let calls = Mutex(0)
        var count: Int { calls.withLock { $0 } }

        func cacheKey(for url: URL) -> String? {
            calls.withLock { $0 += 1 }
            return nil
        }
    }

    private struct Modifier: DownloadRequestModifier, Hashable {
        func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? { request }
    }

    /// The text of each row about its picture, in a context of its own.
    enum Row: String, CaseIterable {
        case plain, errorImage, thumbnail, transformed, value

        func configure(_ context: inout WebImageContext) {
            switch self {
            case .plain: break
            case .errorImage: context.errorImage = try? Image.plain(1, 1)
            case .thumbnail: context.thumbnailPixelSize = .square(2)
            case .transformed: context.transformer = ScriptedTransformer()
            case .value: context.downloadRequestModifier = Modifier()
            }
        }

        /// The picture's file on the disk.
        func key(_ name: String) -> CacheKey {
            let key = ManagerBench.key(name)
            return switch self {
            case .thumbnail: key.thumbnail(.square(2), preservesAspectRatio: true)
            case .transformed: key.transformed("Scripted")
            default: key
            }
        }
    }

    @Test(
        "200 binds of one URL, memory cold and disk warm, are one plan, one read and one decode; of 10 URLs, 10",
        arguments: [1, 10], Row.allCases)
    func burst(urlCount: Int, row: Row) async throws {
        let (coder, filter) = (ScriptedCoder(), CountingFilter())
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false), coder: coder)
        bench.manager.cacheKeyFilter = filter
        let names = (0..<urlCount).map { "\($0).jpg" }
        for name in names { bench.cache.put(ScriptedCoder.file(2, 2), for: row.key(name)) }
        let views = (0..<200).map { _ in ViewBench(manager: bench) }
        let binds = try views.enumerated().map { index, view in
            try view.load(names[index % urlCount], configure: row.configure)
        }
        #expect(filter.count == urlCount)
        #expect(bench.cache.queries.count == urlCount)
        for _ in names { bench.cache.answer() }
        for bind in binds { #expect(try await bind.outcome().get().cacheType == .disk) }
        #expect(coder.decodeCount == urlCount)
        #expect(bench.cache.queries.count == urlCount)
        #expect(bench.loader.loads.isEmpty)
    }
}
