import FoundationEssentials
import Testing
import WebImage
import WebImageTesting

@Suite("Loaders manager", .timeLimit(.minutes(1)))
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

    @Test("LD-4 an address that no loader takes ends with an error")
    func unsupported() async throws {
        let load = RecordedLoad(try parsed("gopher://a/b"), by: ImageLoadersManager.shared)
        #expect(await load.error?.code == .unsupportedScheme)
        #expect(await load.error?.reason.contains("gopher") == true)
        #expect(load.hasEndedOnce)
    }

    @Test(
        "DL-32 failures that mend themselves are not blocked",
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
}
