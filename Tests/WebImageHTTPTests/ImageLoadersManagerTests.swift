import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Loaders manager", .timeLimit(.minutes(5)))
struct ImageLoadersManagerTests {
    @Test("LD-4 the shared manager loads from the web, from files and from data: addresses")
    func shared() async throws {
        let manager = ImageLoadersManager.shared
        for address in ["http://a/b", "https://a/b", "file:///a", "data:,a"] {
            #expect(manager.canLoad(try parsed(address)), "\(address)")
        }
        #expect(!manager.canLoad(try parsed("ftp://a/b")))
        #expect(try await RecordedLoad(try parsed("data:,a"), by: manager).response.data == Data("a".utf8))
        #expect(manager.loaders.contains { $0 as AnyObject === WebImageDownloader.shared })
    }

    @Test("LD-4 the loader that was added last goes first")
    func precedence() async throws {
        let suspended = SuspendedLoader(schemes: ["data"])
        let manager = ImageLoadersManager(loaders: [DataURLLoader()])
        manager.add(suspended)
        let url = try parsed("data:,a")
        let load = RecordedLoad(url, by: manager)
        try await suspended.waitForLoad(of: url).finish(Data("b".utf8))
        #expect(try await load.response.data == Data("b".utf8))
    }

    @Test("LD-4 COD-6 the lists of loaders and of coders can be set")
    func replaced() async throws {
        let manager = ImageLoadersManager(loaders: [DataURLLoader()])
        let suspended = SuspendedLoader(schemes: ["app"])
        manager.loaders = [suspended]
        #expect(try manager.loaders.count == 1 && !manager.canLoad(parsed("data:,a")))
        manager.loaders.insert(DataURLLoader(), at: 0)
        #expect(try await RecordedLoad(try parsed("data:,a"), by: manager).response.data == Data("a".utf8))
        let coders = ImageCodersManager(coders: [])
        coders.coders = [.png, .gif]
        #expect(coders.canDecode(.png) && coders.canDecode(.gif) && !coders.canDecode(.jpeg))
    }

    @Test("LD-4 an address without a loader ends with an error")
    func unsupported() async throws {
        let load = RecordedLoad(try parsed("gopher://a/b"), by: ImageLoadersManager.shared)
        #expect(await load.error?.code == .unsupportedScheme)
        #expect(await load.error?.reason.contains("gopher") == true)
        #expect(load.hasEndedOnce)
    }

    /// Accepts URLs a limited number of times, and records its requests.
    private final class FickleLoader: ImageLoader {
        let requests = Observed<[ImageLoadRequest]>([])
        let questions = Observed(0)
        /// The number of times that it accepts.
        let patience: Int

        init(patience: Int = .max) { self.patience = patience }

        func canLoad(_ url: URL) -> Bool {
            questions.update { count in
                count += 1
                return count
            } <= patience
        }

        func load(
            _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
        ) -> any CancellableTask {
            requests.update { $0.append(request) }
            receive(.finished(.success(ImageLoadResponse(data: Data("x".utf8)))))
            return EndedLoadTask()
        }

        func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool { true }
    }

    @Test("B14 LD-4 a loader that changes its answer still leads to one ending", arguments: [1, 0])
    func fickle(patience: Int) async throws {
        let loader = FickleLoader(patience: patience)
        let manager = ImageLoadersManager(loaders: [loader])
        let load = RecordedLoad(try parsed("app://picture"), by: manager)
        #expect(load.hasEndedOnce)
        #expect(await load.error?.code == (patience == 1 ? nil : .unsupportedScheme))
        #expect(loader.questions.value == 1)
    }

    @Test("LD-4 B14 a manager without loaders accepts nothing, and ends its loads")
    func empty() async throws {
        let manager = ImageLoadersManager(loaders: [])
        let url = try parsed("http://a/b")
        #expect(!manager.canLoad(url))
        let load = RecordedLoad(url, by: manager)
        let error = try #require(await load.error)
        #expect(error.code == .unsupportedScheme)
        #expect(error.url == url)
        #expect(load.hasEndedOnce)
        #expect(!manager.shouldBlockFailedURL(url, error: error))
    }

    private enum Colour: WebImageContext.Key {
        typealias Value = String
    }

    @Test("LD-1 CTX-28 a loader gets the options, the context and the picture to refresh")
    func request() throws {
        let loader = FickleLoader()
        let manager = ImageLoadersManager(loaders: [DataURLLoader(), loader])
        var request = ImageLoadRequest(url: try parsed("app://picture"))
        request.options = [.refreshCached, .handleCookies]
        request.context[Colour.self] = "red"
        request.cachedImage = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [255, 0, 0, 255]))
        _ = manager.load(request) { _ in }
        let seen = try #require(loader.requests.value.first)
        #expect(seen.options == [.refreshCached, .handleCookies])
        #expect(seen.context[Colour.self] == "red")
        #expect(seen.cachedImage === request.cachedImage)
    }

    @Test("LD-1 LD-4 the loader of a URL decides whether its failures are blocked")
    func blockDecision() throws {
        let manager = ImageLoadersManager(loaders: [FickleLoader(), WebImageDownloader.shared])
        let error = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "")
        #expect(manager.shouldBlockFailedURL(try parsed("app://picture"), error: error))
        #expect(!manager.shouldBlockFailedURL(try parsed("http://a/b"), error: error))
    }

    @Test(
        "DL-31 LD-4 the manager accepts exactly the addresses of its loaders",
        arguments: [
            "http://127.0.0.1:1/", "data:,a", "file:///nowhere", "ftp://127.0.0.1/a", "about:blank", "a/b",
            "mailto:a@b",
        ])
    func agreement(address: String) async throws {
        let url = try parsed(address)
        for loader in [WebImageDownloader.shared, ImageLoadersManager.shared] as [any ImageLoader] {
            let failures = Observed<[WebImageError.Code?]>([])
            let task = loader.load(ImageLoadRequest(url: url)) { event in
                guard case .finished(let result) = event else { return }
                failures.update { $0.append(result.failureCode) }
            }
            let seen = try await failures.wait { !$0.isEmpty }
            #expect(seen.count == 1)
            #expect((seen.first == .unsupportedScheme) == !loader.canLoad(url))
            task.cancel()
        }
    }

    @Test(
        "DL-32 transient failures are not blocked",
        arguments: [
            (WebImageError.Code.invalidURL, true), (.badImageData, true), (.unsupportedScheme, true),
            (.tooManyRedirects, true), (.secureConnectionFailed, true), (.timedOut, false), (.cannotFindHost, false),
            (.cannotConnect, false), (.connectionLost, false), (.cancelled, false),
            (.invalidDownloadStatusCode, false), (.invalidDownloadContentType, false), (.limitExceeded, false),
        ])
    func blocking(code: WebImageError.Code, isBlocked: Bool) throws {
        let error = WebImageError(code, stage: .load, kind: .permanent, reason: "")
        let url = try parsed("http://a/b")
        #expect(ImageLoadersManager.shared.shouldBlockFailedURL(url, error: error) == isBlocked)
    }

    @Test("DL-32 A42 no other code is blocked, nor is a handshake that may work the next time")
    func everythingElse() throws {
        let blocked: Set = [
            WebImageError.Code.invalidURL, .badImageData, .unsupportedScheme, .tooManyRedirects,
            .secureConnectionFailed,
        ]
        let url = try parsed("http://a/b")
        func isBlocked(_ code: WebImageError.Code, _ kind: WebImageError.Kind) -> Bool {
            let error = WebImageError(code, stage: .load, kind: kind, reason: "")
            return ImageLoadersManager.shared.shouldBlockFailedURL(url, error: error)
        }
        for number in [-1, 0] + Array(1000...2100) + Array(3000...3100) + [10_000] {
            let code = WebImageError.Code(rawValue: number)
            #expect(isBlocked(code, .permanent) == blocked.contains(code), "\(number)")
        }
        #expect(!isBlocked(.secureConnectionFailed, .transient))
    }
}

extension Result<ImageLoadResponse, WebImageError> {
    fileprivate var failureCode: WebImageError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
