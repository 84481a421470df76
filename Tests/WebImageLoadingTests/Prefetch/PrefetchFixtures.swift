import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

/// A prefetcher with test doubles, and its reports.
final class PrefetchStage: Sendable {
    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let coder: ScriptedCoder
    let manager: WebImageManager
    let prefetcher: WebImagePrefetcher
    let record = PrefetchRecord()

    init(coder: ScriptedCoder = ScriptedCoder()) {
        self.coder = coder
        manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        prefetcher = WebImagePrefetcher(manager: manager)
        prefetcher.callbackQueue = .current
    }

    static func urls(_ names: Range<Int>) throws -> [URL] {
        try names.map { try #require(URL(string: "http://host/\($0).jpg")) }
    }

    /// Starts a call whose handlers are recorded.
    @discardableResult
    func prefetch(
        _ urls: [URL], name: String = "", options: WebImageOptions = .lowPriority,
        context: WebImageContext = WebImageContext()
    ) -> PrefetchToken {
        prefetcher.prefetch(urls, options: options, context: context) { [record] finished, total in
            record.add("\(name)progress \(finished)/\(total)")
        } completed: { [record] finished, skipped in
            record.add("\(name)completed \(finished)-\(skipped)")
        }
    }

    /// Ends all running and later loads with pictures.
    func finishAll(_ count: Int) async throws {
        for number in 0..<count { try await loader.waitForLoads(number + 1)[number].finish(ScriptedCoder.file(1, 1)) }
    }

    /// The names of the started pictures, in order.
    var begun: [String] { loader.loads.map { $0.request.url.lastPathComponent } }
}

/// The calls of handlers and the delegate, in order.
final class PrefetchRecord: Sendable {
    private let words = Observed<[String]>([])

    var all: [String] { words.value }

    func add(_ word: String) { words.update { $0.append(word) } }

    /// All records, once `word` is among them.
    @discardableResult
    func wait(for word: String) async throws -> [String] { try await words.wait { $0.contains(word) } }

    @discardableResult
    func wait(count: Int) async throws -> [String] { try await words.wait { $0.count >= count } }
}

/// Records its calls.
final class RecordingDelegate: WebImagePrefetcherDelegate {
    private let record: PrefetchRecord

    init(_ record: PrefetchRecord) { self.record = record }

    func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didPrefetch url: URL?, finishedCount: Int, totalCount: Int
    ) {
        record.add("did \(url?.lastPathComponent ?? "nothing") \(finishedCount)/\(totalCount)")
    }

    func imagePrefetcher(
        _ imagePrefetcher: WebImagePrefetcher, didFinishWithTotalCount totalCount: Int, skippedCount: Int
    ) {
        record.add("finished \(totalCount)-\(skippedCount)")
    }
}
