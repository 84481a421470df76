import Foundation
import Synchronization
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// Runs the public tests of HTTP caches: the real downloader and the real disk cache over loopback, with a new manager and a
/// new cache for each request of a test, so that only what is on the disk counts.
///
/// The dates of origin and manager are the test's own: where a test waits for three seconds, they move on.
struct HTTPCacheDriver: Sendable {
    private let origin: HTTPCacheTestOrigin
    private let downloader: WebImageDownloader
    private let policy: HTTPCachePolicy

    init(policy: HTTPCachePolicy = .http) throws {
        self.policy = policy
        origin = try HTTPCacheTestOrigin()
        var config = WebImageDownloaderConfig()
        config.acceptableStatusCodes = nil
        config.maxConcurrentDownloads = 16
        config.maxConnectionsPerHost = 16
        downloader = WebImageDownloader(config: config)
    }

    /// The differences from the expectation; empty for a test that is passed.
    func run(_ test: HTTPCacheCorpus.Test) async throws -> [String] {
        let directory = try CacheDirectory()
        let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        origin.begin(test, at: date.withLock { $0 })
        var failures: [String] = []
        for (index, exchange) in test.exchanges.enumerated() {
            let now = date.withLock { $0 }
            let answer = await self.answer(to: exchange, index + 1, of: test, in: directory, at: now)
            let check = HTTPCacheCheck(test: test, number: index + 1, exchange: exchange)
            failures += check.failures(of: answer)
            guard exchange.pausesAfter else { continue }
            date.withLock { $0 += 3 }
            origin.setDate(of: test, to: date.withLock { $0 })
        }
        let requests = origin.end(test)?.requests ?? []
        for (index, exchange) in test.exchanges.enumerated() {
            let check = HTTPCacheCheck(test: test, number: index + 1, exchange: exchange)
            failures += check.failures(of: requests.first { $0.number == index + 1 }?.request)
        }
        return failures
    }

    /// The server's answer as the load tells it; nil where there was none.
    private func answer(
        to exchange: HTTPCacheCorpus.Exchange, _ number: Int, of test: HTTPCacheCorpus.Test,
        in directory: CacheDirectory, at now: Date
    ) async -> HTTPCacheCheck.Answer? {
        do {
            let result = try await load(exchange, number, of: test, in: directory, at: now)
            return result.http.map { HTTPCacheCheck.Answer(http: $0, data: result.data ?? Data()) }
        } catch {
            return (error as? WebImageError)?.response.map { HTTPCacheCheck.Answer(http: $0, data: Data()) }
        }
    }

    /// The first picture that the load delivers: a stale one comes before the load ends.
    private func load(
        _ exchange: HTTPCacheCorpus.Exchange, _ number: Int, of test: HTTPCacheCorpus.Test,
        in directory: CacheDirectory,
        at now: Date
    ) async throws -> LoadResult {
        let manager = WebImageManager(
            cache: ImageCache(directory: directory.path), loader: downloader, coder: AnyCoder(),
            clock: ContinuousClock(),
            now: { now })
        manager.httpCachePolicy = policy
        var context = WebImageContext()
        let fields = exchange.requestHeaders.map { ($0.name, $0.value(at: now)) } + [("Req-Num", "\(number)")]
        context.httpHeaders = Dictionary(fields) { "\($0), \($1)" }
        var options = WebImageOptions.waitStoreCache
        if exchange.method != "GET" {
            options.insert(.fromLoaderOnly)
            context.downloadRequestModifier = Method(method: exchange.method, body: exchange.requestBody)
        }
        let request = ImageRequest(origin.url(of: exchange, in: test), options: options, context: context)
        let load = manager.observed(request)
        let ending = try await load.ending()
        for event in load.story.events {
            if case .update(.cached(let cached)) = event { return cached }
        }
        return try ending.get()
    }

    private struct Method: DownloadRequestModifier {
        let method: String
        let body: String?

        func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? {
            var request = request
            request.method = method
            request.body = body.map { Data($0.utf8) }
            return request
        }
    }
}

/// Takes any bytes for a picture of one pixel.
private struct AnyCoder: ImageCoder {
    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: .square(1))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        Image(bitmap: try Bitmap(size: .square(1), pixels: [0, 0, 0, 0]))
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "nothing is encoded here")
    }
}
