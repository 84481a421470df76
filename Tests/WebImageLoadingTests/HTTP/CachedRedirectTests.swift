import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("HTTP caching: redirects", .timeLimit(.minutes(5)))
struct CachedRedirectTests {
    @Test(
        "DL-24 C5 a picture behind a redirect is fresh for no longer than the redirect",
        arguments: [
            (301, "", true), (308, "", true), (302, "", false), (307, "max-age=60", true), (301, "max-age=0", false),
            (308, "no-cache", false), (301, "no-store", false), (303, "max-age=60", true),
        ])
    func lifetime(status: Int, field: String, isFresh: Bool) async throws {
        let origin = try LoopbackOrigin()
        let redirect = OriginResponse.redirect(to: "/b", status: status)
        origin.serve("/a", field.isEmpty ? redirect : redirect.header("Cache-Control", field))
        let picture = OriginResponse(body: ScriptedCoder.file(2, 2))
        origin.serve("/b", picture.header("Cache-Control", "max-age=60"))
        let directory = try CacheDirectory()
        for _ in 1...2 {
            let manager = WebImageManager(
                cache: ImageCache(directory: directory.path), loader: WebImageDownloader(), coder: ScriptedCoder())
            manager.httpCachePolicy = .http
            let result = try await manager.result(for: origin.url("/a"), options: .waitStoreCache)
            #expect(result.http?.url == origin.url("/b"))
        }
        #expect(origin.requestCount("/a") == (isFresh ? 1 : 2))
    }
}
