import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads whose view is destroyed.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewBackgroundTests {
    private let stored = Observed(false)
    private let bench: ViewBench

    init() {
        let stored = stored
        bench = ViewBench(manager: ManagerBench(cache: SuspendedCache(didStore: { stored.update { $0 = true } })))
    }

    @Test("S0-7 OPT-4 a load that continues in the background continues without its view, which gets nothing more")
    func goesOn() async throws {
        let progress = Observed(0)
        let load = try bench.load(
            "a.jpg", .continueInBackground, placeholder: .plain(1, 1), progress: { _ in progress.update { $0 += 1 } })
        let transfer = try await bench.manager.transfer()
        transfer.progress(1, of: 4)
        bench.view.end()
        #expect(load.failureCode == .cancelled)
        #expect(!transfer.isCancelled)
        #expect(bench.manager.manager.isRunning)
        _ = bench.story()
        transfer.progress(2, of: 4)
        transfer.finish(ScriptedCoder.file(4, 4))
        try await stored.wait { $0 }
        #expect(bench.manager.cache.disk[ManagerBench.key()] != nil)
        #expect(bench.story() == [])
        #expect(load.outcomes.count == 1)
        #expect(progress.value == 1)
    }

    @Test("S0-7 OPT-4 it also continues if its view goes before the manager has returned the handle")
    func goesWhileItBegins() async throws {
        let view = bench.view
        bench.manager.manager.interceptors = [
            ScriptedInterceptor { request in
                MainActor.assumeIsolated { view.end() }
                return .proceed(request)
            }
        ]
        let load = try bench.load("a.jpg", .continueInBackground)
        #expect(load.failureCode == .cancelled)
        try #require(bench.manager.manager.isRunning)
        let transfer = try await bench.manager.transfer()
        #expect(!transfer.isCancelled)
        transfer.finish(ScriptedCoder.file(4, 4))
        try await stored.wait { $0 }
        #expect(load.outcomes.count == 1)
    }

    @Test("S0-7 OPT-4 without the option it ends with its view, and when it is replaced it ends with it, too")
    func ends() async throws {
        try bench.load("a.jpg", .continueInBackground)
        try bench.load("b.jpg")
        bench.view.end()
        #expect(try await bench.manager.transfer(1).isCancelled)
        #expect(try await bench.manager.transfer(2).isCancelled)
    }
}
