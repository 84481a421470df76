import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

extension WebImageManagerTests {
    @Test("DL-19 loads of one picture at one time share its decode, and each says where its bytes came from")
    func sharedDecode() async throws {
        let held = HeldCoder()
        let manager = WebImageManager(cache: cache, loader: loader, coder: held.coder)
        let url = try Self.address("a.jpg")
        let recorders = (0..<10).map { _ in LoadRecorder() }
        for recorder in recorders { start(url, with: manager, context: Self.inline.apart, into: recorder) }
        for load in try await loader.waitForLoads(10) { load.finish(ScriptedCoder.file(2, 2)) }
        try await held.release()
        var images: Set<ObjectIdentifier> = []
        for recorder in recorders {
            let result = try await recorder.outcome().get()
            images.insert(ObjectIdentifier(result.image))
            #expect(result.cacheType == .noCache)
        }
        #expect(held.coder.decodeCount == 1)
        #expect(images.count == 1)
    }

    @Test("B3 loads that share a decode write each file once, and each that waits for the store waits for it")
    func sharedStore() async throws {
        let held = HeldCoder()
        let manager = WebImageManager(cache: cache, loader: loader, coder: held.coder)
        var context = Self.inline
        context.thumbnailPixelSize = PixelSize(width: 2, height: 2)
        let recorders = (0..<10).map { _ in LoadRecorder() }
        for recorder in recorders {
            start(
                try Self.address("a.jpg"), with: manager, options: .waitStoreCache, context: context.apart,
                into: recorder)
        }
        for load in try await loader.waitForLoads(10) { load.finish(ScriptedCoder.file(40, 40)) }
        try await held.release()
        for recorder in recorders { _ = try await recorder.outcome().get() }
        #expect(cache.stores.count == 2)
        #expect(Set(cache.stores).count == 2)
        #expect(held.coder.encodeCount == 1)
    }

    @Test("CTX-4 loads with caches of their own fill each of them")
    func ownCaches() async throws {
        let held = HeldCoder()
        let manager = WebImageManager(cache: cache, loader: loader, coder: held.coder)
        let caches = [SuspendedCache(), SuspendedCache()]
        let recorders = caches.map { _ in LoadRecorder() }
        for (cache, recorder) in zip(caches, recorders) {
            var context = Self.inline
            context.cache = cache
            start(
                try Self.address("a.jpg"), with: manager, options: .waitStoreCache, context: context, into: recorder)
        }
        for load in try await loader.waitForLoads(2) { load.finish(ScriptedCoder.file(2, 2)) }
        try await held.release()
        for recorder in recorders { _ = try await recorder.outcome().get() }
        #expect(caches.allSatisfy { $0.stores.count == 1 && $0.memory.count == 1 })
    }

    @Test("loads with other limits or other bytes do not share a decode")
    func unsharedDecode() async throws {
        let held = HeldCoder()
        let manager = WebImageManager(cache: cache, loader: loader, coder: held.coder)
        let url = try Self.address("a.jpg")
        var strict = Self.inline
        strict.limits.maximumPixelCount = 1
        let recorders = (0..<3).map { _ in LoadRecorder() }
        for (recorder, context) in zip(recorders, [Self.inline, strict, Self.inline.apart]) {
            start(url, with: manager, context: context, into: recorder)
        }
        let loads = try await loader.waitForLoads(3)
        for (load, side) in zip(loads, [2, 2, 3]) { load.finish(ScriptedCoder.file(side, side)) }
        try await held.release()
        var sides: [Int] = []
        for recorder in recorders { sides.append(try await recorder.outcome().get().image.pixelSize.width) }
        #expect(held.coder.decodeCount == 3)
        #expect(sides == [2, 2, 3])
    }

    @Test("events report the progress, then the picture, and end")
    func events() async throws {
        let events = manager.events(for: try Self.address("a.jpg"))
        let load = try await loader.waitForLoads(1)[0]
        load.progress(1, of: 3)
        load.finish(ScriptedCoder.file(1, 1))
        var words: [String] = []
        for try await event in events {
            switch event {
            case .progress(let progress): words.append("\(progress.receivedByteCount)")
            case .finished(let result): words.append("\(result.cacheType)")
            case .cached, .preview, .partial: words.append("more")
            }
        }
        #expect(words == ["1", "no cache"])
    }

    @Test("a listener that stops listening ends the load")
    func abandonedEvents() async throws {
        let loader = loader
        let url = try Self.address("a.jpg")
        do {
            let events = manager.events(for: url)
            try await loader.waitForLoads(1)[0].progress(1)
            for try await _ in events { break }
        }
        try await loader.loads[0].waitForCancellation()
    }

    @Test("OPT-1 OPT-7 the priority comes from the options, and can be changed while the load runs")
    func priority() async throws {
        let recorder = LoadRecorder()
        let operation = start(try Self.address("a.jpg"), with: manager, options: .lowPriority, into: recorder)
        start(try Self.address("b.jpg"), with: manager, options: [.lowPriority, .highPriority], into: LoadRecorder())
        let loads = try await loader.waitForLoads(2)
        #expect(loads.map(\.request.priority) == [.low, .high])
        operation.setPriority(.high)
        #expect(loads[0].priorities == [.high])
    }
}
