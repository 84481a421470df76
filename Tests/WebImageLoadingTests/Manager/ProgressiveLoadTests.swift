import FoundationEssentials
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: partial pictures", .timeLimit(.minutes(5)))
struct ProgressiveLoadTests {
    private let coder = ScriptedProgressiveCoder()

    private static func data(_ text: String) -> Data { Data(text.utf8) }

    @Test("OPT-2 A59 partial pictures arrive during the body, marked, and then the whole; none is in a cache")
    func partials() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", [.progressiveLoad, .waitStoreCache])
        let transfer = try await bench.transfer()
        #expect(transfer.request.reportsData)
        for (number, part) in ["4x3:", "ab", "cd"].enumerated() {
            transfer.send(Self.data(part))
            try await load.story.waitForEvents(number + 1)
        }
        #expect(bench.cache.memory.isEmpty)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "abcd"))
        let result = try await load.result()
        #expect(load.words == ["partial 4x3", "partial 4x3", "partial 4x3", "loaded 4x3"])
        #expect(load.story.partials.allSatisfy { $0.metadata.isIncremental })
        #expect(!result.image.metadata.isIncremental)
        #expect(bench.cache.memory.count == 1)
        #expect(bench.cache.stores.count == 1)
    }

    @Test("DOP-9 CTX-15 parts of a picture have no high dynamic range, whatever the whole has")
    func dynamicRange() async throws {
        let wholeIsHDR = Mutex(false)
        let coder = ScriptedProgressiveCoder(willDecode: { options in wholeIsHDR.withLock { $0 = options.decodesToHDR }
        })
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.decodesToHDR = true }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await load.story.waitForEvents(1)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "a"))
        _ = try await load.result()
        #expect(coder.options.map(\.decodesToHDR) == [false])
        #expect(wholeIsHDR.withLock { $0 })
    }

    @Test("OPT-2 a part stays for the interval; bytes that arrive meanwhile make one part, and the whole does not wait")
    func interval() async throws {
        let clock = ManualClock()
        let bench = ManagerBench(coder: coder, clock: clock)
        let load = try bench.load("a.jpg", .progressiveLoad) {
            $0.progressiveInterval = .seconds(2)
        }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:"))
        try await clock.waitForSleepers(1)
        for part in ["a", "b", "c"] { transfer.send(Self.data(part)) }
        clock.advance(by: .seconds(1.9))
        #expect(coder.updates == ["4x3:"])
        clock.advance(by: .seconds(0.2))
        try await load.story.waitForEvents(2)
        #expect(coder.updates == ["4x3:", "abc"])
        transfer.send(Self.data("d"))
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "abcd"))
        _ = try await load.result()
        #expect(coder.updates == ["4x3:", "abc"])
        #expect(load.words == ["partial 4x3", "partial 4x3", "loaded 4x3"])
    }

    @Test("OPT-2 one decoder gets each byte once, piece after piece, and bytes that arrive meanwhile are one piece")
    func onePieceAtATime() async throws {
        let isUpdating = Gate()
        let mayUpdate = Gate()
        let coder = ScriptedProgressiveCoder(willUpdate: {
            isUpdating.open()
            mayUpdate.waitBlocking()
        })
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:"))
        try await isUpdating.wait()
        for part in ["a", "b", "c"] { transfer.send(Self.data(part)) }
        mayUpdate.open()
        try await coder.waitForUpdates(2)
        #expect(coder.updates == ["4x3:", "abc"])
        #expect(coder.decoderCount == 1)
        #expect(coder.mostUpdatesAtOnce == 1)
        load.cancel()
    }

    @Test("OPT-2 bytes without a recognisable format wait for more")
    func shortHead() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        for part in ["4", "x3", ":a"] { transfer.send(Self.data(part)) }
        try await load.story.waitForEvents(1)
        #expect(coder.updates == ["4x3:a"])
        load.cancel()
    }

    @Test("OPT-2 no partial pictures without the option, with a decryptor, or where the coder makes none")
    func notAsked() async throws {
        let bench = ManagerBench(coder: coder)
        _ = try bench.load("a.jpg")
        _ = try bench.load("b.jpg", .progressiveLoad) { $0.downloadDecryptor = UnchangingDecryptor() }
        _ = try bench.load("c.jpg", .progressiveLoad) { $0.coder = ScriptedCoder() }
        #expect(try await bench.loader.waitForLoads(3).map(\.request.reportsData) == [false, false, false])
        bench.manager.cancelAll()
    }

    @Test("CTX-6 a load's coder makes the partial pictures, if it can")
    func coderOfLoad() async throws {
        let bench = ManagerBench()
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.coder = coder }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await load.story.waitForEvents(1)
        #expect(load.words == ["partial 4x3"])
        #expect(coder.updates == ["4x3:a"])
        load.cancel()
    }

    @Test("OPT-2 parts of a thumbnail have the thumbnail's size")
    func thumbnail() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.thumbnailPixelSize = .square(2) }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("40x40:a"))
        try await load.story.waitForEvents(1)
        #expect(load.words == ["partial 2x2"])
        load.cancel()
    }

    @Test("PIPE-10 parts of a picture are transformed like the whole, and stay marked as parts")
    func transformed() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.transformer = ScriptedTransformer() }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await load.story.waitForEvents(1)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        _ = try await load.result()
        #expect(load.words == ["partial 5x4", "loaded 5x4"])
        #expect(load.story.partials.first?.metadata.isIncremental == true)
        #expect(load.story.partials.first?.metadata.isTransformed == true)
    }

    @Test("B31 a part whose transform is late does not follow the whole")
    func latePart() async throws {
        let isTransforming = Gate()
        let mayTransform = Gate()
        let isOver = Gate()
        let transformer = ScriptedTransformer { image in
            guard image.metadata.isIncremental else { return image.grown }
            isTransforming.open()
            mayTransform.waitBlocking()
            defer { isOver.open() }
            return image.grown
        }
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.transformer = transformer }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await isTransforming.wait()
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        _ = try await load.result()
        mayTransform.open()
        try await isOver.wait()
        #expect(load.words == ["loaded 5x4"])
    }

    @Test("B31 a part that waits for its callback queue is dropped when the whole is there")
    func partBehindQueue() async throws {
        let held = HeldCallbacks()
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad) { $0.callbackQueue = held.queue }
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await held.waitForCallbacks(1)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        try await held.waitForCallbacks(2)
        held.runAll()
        #expect(load.words == ["loaded 4x3"])
    }

    @Test("OPT-2 bytes that cannot become a picture end the parts, and the whole reports the error")
    func badBytes() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        transfer.send(Self.data("no:"))
        transfer.send(Self.data("more"))
        try await coder.waitForUpdates(1)
        transfer.finish(Self.data("no:more"))
        #expect(try await load.failure().code == .badImageData)
        #expect(load.words == ["failed 1001"])
    }

    @Test("B17 parts that arrive after a cancellation are neither decoded nor delivered")
    func cancelled() async throws {
        let bench = ManagerBench(loader: SuspendedLoader(endsLoadsWhenCancelled: false), coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        transfer.send(Self.data("4x3:a"))
        try await load.story.waitForEvents(1)
        load.cancel()
        // The thread that reports the partial picture may not have returned yet; it then reports the ending.
        try await load.story.waitForEvents(2)
        transfer.send(Self.data("b"))
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        #expect(load.words == ["partial 4x3", "failed 2002"])
    }

    @Test("OPT-2 two separate loads of one URL have decoders of their own")
    func ownDecoders() async throws {
        let bench = ManagerBench(coder: coder)
        let loads = try (0..<2).map { _ in try bench.load("a.jpg", .progressiveLoad) { $0.goApart() } }
        let transfers = try await bench.loader.waitForLoads(2)
        transfers[0].send(Self.data("4x3:a"))
        try await loads[0].story.waitForEvents(1)
        #expect(loads[1].words.isEmpty)
        transfers[1].send(Self.data("4x3:b"))
        try await loads[1].story.waitForEvents(1)
        #expect(coder.decoderCount == 2)
        for load in loads { load.cancel() }
    }

    @Test("a preview ends the transfer when its scans have arrived: it is in memory by its own name, and has no file")
    func preview() async throws {
        let file = try Fixtures.data("photo-progressive.jpg")
        for options in [WebImageOptions.progressiveLoad, []] {
            let bench = ManagerBench(coder: ImageCodersManager.shared)
            let load = try bench.load("a.jpg", options) { $0.asksForPreview() }
            let transfer = try await bench.transfer()
            // Everything but the end arrives, which is not needed.
            transfer.send(file.prefix(file.count * 9 / 10))
            let result = try await load.result()
            try await transfer.waitForCancellation()
            var exact = ImageDecodeOptions()
            exact.thumbnailPixelSize = .square(40)
            exact.decodesPreview = true
            #expect(try result.image.bitmap.bytes == JPEGCoder().decode(file, options: exact).bitmap.bytes)
            #expect(!result.image.metadata.isIncremental && result.data == nil && result.cacheType == .noCache)
            #expect(bench.cache.stores.isEmpty && bench.cache.memory.count == 1)
            let again = try bench.load("a.jpg") { $0.asksForPreview() }
            #expect(try await again.result().image === result.image)
            // The exact picture needs a load of its own.
            _ = try bench.load("a.jpg") { $0.thumbnailPixelSize = .square(40) }
            #expect(try await bench.loader.waitForLoads(2).count == 2)
            bench.manager.cancelAll()
        }
    }

    @Test("a transfer continues without a preview, and if the original is to be kept")
    func noPreview() async throws {
        let bench = ManagerBench(coder: ImageCodersManager.shared)
        for (number, name) in ["photo.jpg", "photo-progressive.jpg", "lossy.webp"].enumerated() {
            let file = try Fixtures.data(name)
            let load = try bench.load(name) {
                $0.asksForPreview()
                if number == 1 { $0.originalStoreCacheType = .disk }
            }
            let transfer = try #require(try await bench.loader.waitForLoads(number + 1).last)
            transfer.send(file)
            #expect(load.words.isEmpty)
            transfer.finish(file)
            #expect(try await load.result().image.pixelSize.width <= 40)
            #expect(!transfer.isCancelled)
        }
    }

    @Test("a preview is transformed, and its transfer's late end changes nothing")
    func transformedPreview() async throws {
        let file = try Fixtures.data("photo-progressive.jpg")
        let bench = ManagerBench(
            loader: SuspendedLoader(endsLoadsWhenCancelled: false), coder: ImageCodersManager.shared)
        let load = try bench.load("a.jpg", .waitStoreCache) {
            $0.asksForPreview()
            $0.transformer = ScriptedTransformer()
        }
        let transfer = try await bench.transfer()
        transfer.send(file.prefix(file.count * 9 / 10))
        let result = try await load.result()
        transfer.finish(file)
        #expect(result.image.metadata.isTransformed && load.words.count == 1)
        #expect(bench.cache.stores.isEmpty)
    }

    @Test("OPT-2 partial pictures are pictures of events, too, and only the newest waits for a slow listener")
    func events() async throws {
        let bench = ManagerBench(coder: coder)
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        for (number, part) in ["4x3:", "a", "b"].enumerated() {
            transfer.send(Self.data(part))
            try await load.story.waitForEvents(number + 1)
        }
        var listener = load.operation.events.makeAsyncIterator()
        guard case .partial(let first) = try await listener.next() else { throw TestFailure(text: "no part") }
        #expect(first === load.story.partials.last)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3))
        guard case .finished = try await listener.next() else { throw TestFailure(text: "no whole") }
        #expect(try await listener.next() == nil)
    }
}

extension WebImageContext {
    fileprivate mutating func asksForPreview() {
        decodeOptions.thumbnailPixelSize = .square(40)
        decodeOptions.decodesPreview = true
    }
}
