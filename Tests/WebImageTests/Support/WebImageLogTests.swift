import FoundationEssentials
import Testing
import WebImage
import WebImageTesting

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

    /// As an app does whose handler shows a picture of a warning: of the same URL, of another one, and through the very
    /// caches that are in trouble.
    @Test("a handler may load pictures")
    func loadingHandler() async {
        await #expect(processExitsWith: .success) {
            let managers = [FailingCache() as any ImageCaching, ImageCache(directory: "/dev/null/pictures")].map {
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
            try await ends.wait { $0 == 4 * (1 + warnings.value) && warnings.value >= managers.count }
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
