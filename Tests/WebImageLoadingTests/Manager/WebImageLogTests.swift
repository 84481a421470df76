import FoundationEssentials
import Glibc
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Log", .timeLimit(.minutes(5)))
struct WebImageLogTests {
    /// In a child process, because the handler is global.
    @Test("a handler may hold an object that sets another one at its release")
    func letGo() async {
        await #expect(processExitsWith: .success) {
            final class Owner: Sendable {
                deinit { WebImageLog.setHandler(nil) }
            }
            WebImageLog.setHandler { [owner = Owner()] _ in withExtendedLifetime(owner) {} }
            WebImageLog.setHandler { _ in }
        }
    }

    @Test("no warning tells the password of a URL")
    func passwords() async {
        await #expect(processExitsWith: .success) {
            let told = Observed<[String]>([])
            WebImageLog.setHandler { message in told.update { $0.append(message) } }
            WebImageLog.warn("cannot store http://ada:hush@host/a.jpg")
            #expect(told.value == ["cannot store http://ada:***@host/a.jpg"])
        }
    }

    @Test("a warning is one line, whatever is in it")
    func controls() async {
        await #expect(processExitsWith: .success) {
            let told = Observed<[String]>([])
            WebImageLog.setHandler { message in told.update { $0.append(message) } }
            WebImageLog.warn("a\nb\u{1B}[31m")
            #expect(told.value == ["a\u{FFFD}b\u{FFFD}[31m"])
        }
    }

    /// As an app does whose handler shows a picture of a warning: of the same URL, of another one, and through the very
    /// caches that are in trouble.
    @Test("a handler may load pictures")
    func loadingHandler() async {
        await #expect(processExitsWith: .success) {
            let (directory, fileSystem) = (try CacheDirectory(), FaultyFileSystem())
            let unreadable = DiskCache(directory: directory.path, fileSystem: fileSystem)
            try unreadable.store(.sample(), for: CacheKey("http://pictures.invalid/a"))
            // The warning comes on the one thread that reads, which the handler's loads then need.
            fileSystem.fail(.read, with: EIO)
            let caches: [any ImageCaching] = [
                FailingCache(), ImageCache(directory: "/dev/null/pictures"),
                ImageCache(
                    memoryCache: MemoryCache(), diskCache: unreadable, config: ImageCacheConfig(), readLimit: 1),
            ]
            let managers = caches.map {
                WebImageManager(cache: $0, loader: PromptLoader(), coder: ScriptedCoder())
            }
            let (ends, warnings) = (Observed(0), Observed(0))
            let loadAll: @Sendable () -> Void = {
                for manager in managers {
                    for name in ["a", "b"] {
                        manager.load("http://pictures.invalid/\(name)", options: .waitStoreCache) { _ in
                            ends.update { $0 += 1 }
                        }
                    }
                }
            }
            WebImageLog.setHandler { _ in
                warnings.update { $0 += 1 }
                loadAll()
            }
            loadAll()
            try await ends.wait { $0 == 2 * managers.count * (1 + warnings.value) && warnings.value >= managers.count }
        }
    }
}

/// Answers at once, on the caller's thread.
private struct PromptLoader: ImageLoader {
    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        receive(.finished(.success(ImageLoadResponse(data: ScriptedCoder.file(2, 2)))))
        return EndedLoadTask()
    }
}
