import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads of lists, which wait until their views are near, and are taken back when these are far away again.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct HeldLoadTests {
    private let bench = ViewBench()
    private let interceptor = ScriptedInterceptor { .proceed($0) }

    init() {
        bench.surface.admission.holdsLoads = true
        bench.manager.manager.interceptors = [interceptor]
    }

    @Test("an interceptor is asked once for a load that waits, is taken back and begins again")
    func interceptedOnce() async throws {
        let recorder = try bench.load()
        #expect(bench.manager.loader.loads.isEmpty)
        bench.surface.admission.move(to: .seen)
        let first = try await bench.manager.transfer()
        bench.surface.admission.move(to: .far)
        try await first.waitForCancellation()
        bench.surface.admission.move(to: .near)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        #expect((try? await recorder.outcome().get())?.image.pixelSize == PixelSize(width: 4, height: 4))
        #expect(interceptor.requests.count == 1)
    }

    @Test("one handle stands for a load from its call to its end, whenever it begins")
    func oneHandle() async throws {
        let recorder = try bench.load()
        let handle = try #require(bench.view.operation(for: .image))
        #expect(bench.manager.manager.isRunning)
        for number in 1...2 {
            bench.surface.admission.move(to: .seen)
            let transfer = try await bench.manager.transfer(number)
            #expect(bench.view.operation(for: .image) === handle)
            bench.surface.admission.move(to: .far)
            try await transfer.waitForCancellation()
        }
        handle.cancel()
        #expect(await recorder.outcome().failure?.isCancelled == true)
        #expect(!bench.manager.manager.isRunning)
        bench.surface.admission.move(to: .seen)
        #expect(bench.manager.loader.loads.count == 2)
    }

    @Test("a picture in memory is looked up once for a cell, and is shown before the call returns")
    func askedOnce() throws {
        let cache = CountingCache(try .plain(4, 4))
        try bench.load { $0.cache = cache }
        #expect(cache.count.value == 1)
        #expect(interceptor.requests.count == 1)
        #expect(bench.story().contains("image shows immediate 4x4"))
    }

    @Test("a load that has waited finds the picture that memory has got meanwhile")
    func askedAfterWait() throws {
        let cache = CountingCache(nil)
        try bench.load { $0.cache = cache }
        let image = try Image.plain(4, 4)
        cache.image.withLock { $0 = image }
        bench.surface.admission.move(to: .seen)
        #expect(bench.story().contains("image shows final 4x4"))
        #expect(bench.manager.loader.loads.isEmpty)
    }

    @Test("a load that has waited obeys the settings of its beginning")
    func settingsOfTheBeginning() async throws {
        let recorder = try bench.load()
        bench.manager.manager.isOffline = true
        bench.surface.admission.move(to: .seen)
        #expect(await recorder.outcome().failure?.code == .notCached)
        #expect(bench.manager.loader.loads.isEmpty)
        #expect(interceptor.requests.count == 1)
    }

    @Test("the transfer that begins again is taken back as the first one was")
    func takenBackTwice() async throws {
        try bench.load()
        bench.surface.admission.move(to: .seen)
        let first = try await bench.manager.transfer()
        first.progress(4, of: 10)
        bench.surface.admission.move(to: .far)
        try await first.waitForCancellation()
        bench.surface.admission.move(to: .seen)
        let second = try await bench.manager.transfer(2)
        bench.surface.admission.move(to: .far)
        try await second.waitForCancellation()
    }

    @Test("a load that waits ends with its view, also where it would go on in the background")
    func endOfView() async throws {
        let recorder = try bench.load("a.jpg", .continueInBackground)
        bench.view.end()
        #expect(await recorder.outcome().failure?.isCancelled == true)
        #expect(!bench.manager.manager.isRunning)
    }

    @Test("a load that has most of its bytes is not taken back")
    func mostBytes() async throws {
        let recorder = try bench.load()
        bench.surface.admission.move(to: .seen)
        let transfer = try await bench.manager.transfer()
        transfer.progress(6, of: 10)
        bench.surface.admission.move(to: .far)
        #expect(!transfer.isCancelled)
        transfer.finish(ScriptedCoder.file(4, 4))
        #expect(await recorder.outcome().failure == nil)
    }

    @Test("listeners hear of one load, whose stages are cancelled where it is taken back")
    func oneTrace() async throws {
        let listener = TraceRecorder()
        let recorder = try bench.load { $0.listener = listener }
        #expect(listener.events.isEmpty)
        bench.surface.admission.move(to: .seen)
        let transfer = try await bench.manager.transfer()
        bench.surface.admission.move(to: .far)
        try await transfer.waitForCancellation()
        bench.surface.admission.move(to: .seen)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        _ = await recorder.outcome()
        try await listener.waitForEnd()
        #expect(listener.faults == [])
        #expect(Set(listener.events.map(\.load)).count == 1)
        #expect(listener.begun.count { $0 == .load } == 2)
    }

    @Test("an interceptor that has taken a load over is stopped and run again, without being asked again")
    func takenOver() async throws {
        let around = ScriptedInterceptor.around { chain throws(WebImageError) in try await chain.proceed() }
        bench.manager.manager.interceptors = [around]
        let recorder = try bench.load()
        bench.surface.admission.move(to: .seen)
        let first = try await bench.manager.transfer()
        bench.surface.admission.move(to: .far)
        try await first.waitForCancellation()
        bench.surface.admission.move(to: .seen)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        #expect(await recorder.outcome().failure == nil)
        #expect(around.requests.count == 1)
    }
}

/// A cache whose memory has one picture for all keys, and counts look-ups.
private final class CountingCache: EmptyCache {
    let image: Mutex<Image?>
    let count = Observed(0)

    init(_ image: Image?) { self.image = Mutex(image) }

    func imageFromMemory(for key: CacheKey) -> Image? {
        count.update { $0 += 1 }
        return image.withLock { $0 }
    }
}
