import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads whose request modifier changes the method, where the rules of HTTP apply.
@Suite("Manager: caches and methods", .timeLimit(.minutes(5)))
struct HTTPCacheMethodTests {
    /// A server that answers each method with a picture of its own, which may be kept.
    private final class Methods: DownloadOperation {
        let asked = Mutex<[String]>([])

        func start(
            _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
        ) -> any CancellableTask {
            asked.withLock { $0.append(request.method) }
            let side = request.method == "GET" ? 2 : 3
            let head = HTTPResponse(
                url: request.url, statusCode: 200, headers: ["cache-control": "max-age=60"])
            receive(.response(head, expectedByteCount: nil))
            receive(.data(ScriptedCoder.file(side, side)))
            receive(.finished())
            return EndedLoadTask()
        }
    }

    private let methods = Methods()
    private let manager: WebImageManager
    private let downloader = WebImageDownloader()

    init() {
        downloader.downloadOperation = methods
        manager = WebImageManager(
            cache: ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk()), loader: downloader,
            coder: ScriptedCoder())
        manager.httpCachePolicy = .http
    }

    private func load(_ method: String?) async throws -> String {
        var context = WebImageContext()
        context.downloadRequestModifier = method.map { WebImageDownloaderRequestModifier(method: $0) }
        let load = manager.observed(
            ImageRequest(try ManagerBench.url(), options: .waitStoreCache, context: context))
        _ = try await load.result()
        return load.words.last ?? ""
    }

    @Test("DL-24 a load with another method is not answered from a cache, and leaves nothing there for others")
    func otherMethods() async throws {
        #expect(try await load("REPORT") == "loaded 3x3")
        #expect(try await load(nil) == "loaded 2x2")
        #expect(try await load("REPORT") == "loaded 3x3")
        // An unsafe method makes what is stored invalid (RFC 9111 §4.4).
        #expect(try await load(nil) == "loaded 2x2")
        #expect(try await load("GET") == "memory 2x2")
        #expect(methods.asked.withLock { $0 } == ["REPORT", "GET", "REPORT", "GET"])
    }

    @Test("DL-24 the same where the downloader has the modifier")
    func modifierOfDownloader() async throws {
        #expect(try await load(nil) == "loaded 2x2")
        downloader.requestModifier = WebImageDownloaderRequestModifier(method: "POST")
        #expect(try await load(nil) == "loaded 3x3")
        manager.httpCachePolicy = HTTPCachePolicy()
        downloader.requestModifier = nil
        #expect(try await load(nil) == "loaded 2x2")
        downloader.requestModifier = WebImageDownloaderRequestModifier(method: "POST")
        // Without the rules of HTTP the address alone counts.
        #expect(try await load(nil) == "memory 2x2")
    }
}
