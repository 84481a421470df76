import FoundationEssentials
import Testing
import WebImageTesting

@testable import WebImage

@Suite("Load state machine")
struct LoadStateMachineTests {
    private static let url = URL(string: "http://host/a.jpg") ?? URL(filePath: "/")

    private struct UnusedLoader: ImageLoader {
        func canLoad(_ url: URL) -> Bool { true }
        func load(
            _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
        ) -> any ImageLoadTask { EndedLoadTask() }
    }

    private static func machine(
        _ options: WebImageOptions = [], thumbnail: Bool = false, configure: (inout WebImageContext) -> Void = { _ in }
    ) -> LoadStateMachine {
        var context = WebImageContext()
        if thumbnail { context.imageThumbnailPixelSize = PixelSize(width: 8, height: 8) }
        configure(&context)
        let defaults = LoadDefaults(cache: SuspendedCache(), loader: UnusedLoader(), coder: ScriptedCoder())
        return LoadStateMachine(
            plan: LoadPlan(
                url: url, request: ImageRequest(url, options: options, context: context), defaults: defaults))
    }

    /// Actions as words, so that a road reads like one.
    private static func words(_ actions: [LoadStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .intercept: "intercept"
            case .queryDisk(let file): "query \(file)"
            case .readFile(let file): "read \(file)"
            case .askToLoad: "ask"
            case .load(let cached): cached == nil ? "load" : "refresh"
            case .decode(let encoded): "decode \(words(encoded.source))"
            case .transform: "transform"
            case .freshen: "freshen"
            case .removeFromDisk(let file): "remove \(file)"
            case .store: "store"
            case .deliver: "deliver"
            case .stop: "stop"
            }
        }
    }

    private static func words(_ source: EncodedImage.Source) -> String {
        switch source {
        case .loader: "loaded"
        case .disk(let file): "\(file)"
        case .memory: "memory"
        }
    }

    private static let response = LoadStateMachine.Event.loaded(.success(ImageLoadResponse(data: Data("1x1".utf8))))
    private static let entry = LoadStateMachine.Event.diskAnswered(
        StoredFile(entry: DiskCacheEntry(data: Data("1x1".utf8)), isFresh: false))
    private static let miss = LoadStateMachine.Event.diskAnswered(nil)
    private static let badData = LoadStateMachine.Event.decoded(
        .failure(WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "no")))

    private static func image() throws(WebImageError) -> Image {
        Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
    }

    private static func walk(
        _ machine: inout LoadStateMachine, _ events: LoadStateMachine.Event...
    ) -> [String] {
        events.flatMap { event in
            let road = words(machine.handle(event))
            // Whoever is asked agrees.
            return road.last == "ask" ? road.dropLast() + walk(&machine, .permitted(nil)) : road
        }
    }

    /// Whether there is nothing to tell now.
    private static func tellsNothing(_ machine: inout LoadStateMachine) -> Bool { machine.takeOutcome() == nil }

    @Test("PIPE-4 PIPE-6 a plain load asks the disk, loads, decodes, stores and delivers")
    func plain() throws {
        var machine = Self.machine()
        let image = try Self.image()
        let road = Self.walk(
            &machine, .started(inMemory: nil), Self.miss, Self.response, .decoded(.success(DecodedImage(image))))
        #expect(road == ["query result", "load", "decode loaded", "store", "deliver"])
        let taken = machine.takeOutcome()
        let outcome = try #require(taken).get()
        #expect(outcome.cacheType == .none)
        #expect(outcome.image === image)
        #expect(Self.tellsNothing(&machine))
    }

    @Test("S3-15 a picture in memory is delivered without asking anybody")
    func memory() throws {
        var machine = Self.machine()
        #expect(Self.walk(&machine, .started(inMemory: try Self.image())) == ["deliver"])
        let outcome = machine.takeOutcome()
        #expect(try outcome?.get().cacheType == .memory)
    }

    @Test("PIPE-5 A23 A28 a thumbnail asks for itself, then for its original, then loads")
    func thumbnail() {
        var machine = Self.machine(thumbnail: true)
        let road = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.miss)
        #expect(road == ["query result", "query original", "load"])
    }

    @Test("PIPE-5 a plain load does not ask for its original twice")
    func noOriginalForPlainLoads() {
        var machine = Self.machine()
        #expect(Self.walk(&machine, .started(inMemory: nil), Self.miss) == ["query result", "load"])
    }

    @Test("OPT-15 a load from the cache only fails when there is nothing")
    func fromCacheOnly() throws {
        var machine = Self.machine(.fromCacheOnly)
        #expect(Self.walk(&machine, .started(inMemory: nil), Self.miss) == ["query result", "deliver"])
        guard case .failure(let error) = machine.takeOutcome() else { throw error("no failure") }
        #expect(error.code == .notCached)
    }

    @Test("OPT-16 a load from the loader only asks no cache")
    func fromLoaderOnly() {
        var machine = Self.machine(.fromLoaderOnly, thumbnail: true)
        #expect(Self.walk(&machine, .started(inMemory: nil)) == ["load"])
    }

    @Test("CTX-17 CTX-19 tiers that are not to be asked are not asked")
    func queryTypes() {
        var machine = Self.machine(thumbnail: true) { context in
            context.queryCacheType = .memory
            context.originalQueryCacheType = ImageCacheType.none
        }
        #expect(Self.walk(&machine, .started(inMemory: nil)) == ["load"])
    }

    @Test("a cached file that does not decode is removed, and the picture is loaded")
    func badCachedFile() {
        var machine = Self.machine()
        let road = Self.walk(&machine, .started(inMemory: nil), Self.entry, Self.badData)
        #expect(road == ["query result", "decode result", "remove result", "load"])
    }

    @Test("loaded bytes that do not decode end the load, and nothing is stored")
    func badLoadedBytes() throws {
        var machine = Self.machine()
        let road = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.response, Self.badData)
        #expect(road == ["query result", "load", "decode loaded", "deliver"])
    }

    @Test("OPT-22 PIPE-13 with waitStoreCache the picture is delivered when it is stored")
    func waitStoreCache() throws {
        var machine = Self.machine(.waitStoreCache)
        let decoded = DecodedImage(try Self.image())
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.response)
        #expect(Self.walk(&machine, .decoded(.success(decoded))) == ["store"])
        #expect(Self.tellsNothing(&machine))
        #expect(
            Self.walk(&machine, .stored(DecodedImage(decoded.image))).isEmpty, "another picture's end is not its own")
        #expect(Self.walk(&machine, .stored(decoded)) == ["deliver"])
    }

    @Test("A1 a cancellation at any station stops it, and everything that comes later leads to nothing")
    func cancelAnywhere() throws {
        let image = try Self.image()
        let road: [LoadStateMachine.Event] = [
            .started(inMemory: nil), Self.miss, .permitted(nil), Self.response, .decoded(.success(DecodedImage(image))),
        ]
        for count in 0...road.count {
            var machine = Self.machine()
            for event in road.prefix(count) { _ = machine.handle(event) }
            #expect(Self.walk(&machine, .cancelled) == ["stop"])
            guard case .failure(let failure) = machine.takeOutcome() else { throw error("no failure at \(count)") }
            #expect(failure.code == .cancelled)
            for late in road + [.stored(DecodedImage(image)), .cancelled] {
                let actions = machine.handle(late)
                #expect(actions.isEmpty)
                #expect(Self.tellsNothing(&machine))
            }
        }
    }

    @Test("A3 a cancellation overtakes a picture that waits for its callback queue")
    func cancelWhileDelivering() throws {
        var machine = Self.machine()
        _ = machine.handle(.started(inMemory: try Self.image()))
        #expect(Self.walk(&machine, .cancelled) == ["stop"])
        guard case .failure(let failure) = machine.takeOutcome() else { throw error("the picture was delivered") }
        #expect(failure.isCancelled)
    }

    @Test("parts of a picture that nobody has taken yet do not pile up: the newest overtakes the others")
    func partials() throws {
        var machine = Self.machine(.progressiveLoad)
        let parts = try (0..<3).map { _ in try Self.image() }
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss)
        #expect(Self.walk(&machine, .updated(.partial(parts[0]))) == ["deliver"])
        #expect(Self.walk(&machine, .updated(.partial(parts[1])), .updated(.partial(parts[2]))).isEmpty)
        guard case .update(.partial(let told)) = machine.takeDelivery() else { throw error("no part") }
        #expect(told === parts[2])
        #expect(Self.tellsNothing(&machine))
    }

    @Test("a failure that waits for its callback queue stays that failure")
    func cancelAfterFailure() throws {
        var machine = Self.machine()
        let failure = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late")
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss, .loaded(.failure(failure)))
        #expect(Self.walk(&machine, .cancelled).isEmpty)
        guard case .failure(let told) = machine.takeOutcome() else { throw error("no failure") }
        #expect(told.code == .timedOut)
    }

    @Test("exactly one outcome, whatever happens in whatever order", arguments: 0..<500)
    func randomWalks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let image = try Self.image()
        let events: [LoadStateMachine.Event] = [
            .started(inMemory: nil), .started(inMemory: image), Self.miss, Self.entry, Self.response, Self.badData,
            .decoded(.success(DecodedImage(image))), .stored(DecodedImage(image)), .cancelled, .permitted(nil),
            .updated(.partial(image)),
            .transformed(DecodedImage(image)), .originalFound(DecodedImage(image)), .intercepted,
            .loaded(.failure(WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "same"))),
        ]
        let options: WebImageOptions = [.waitStoreCache, .refreshCached, .queryMemoryData, .fromLoaderOnly]
        var machine = Self.machine(
            options.intersection(WebImageOptions(rawValue: UInt.random(in: 0..<1 << 26, using: &random))),
            thumbnail: Bool.random(using: &random))
        var outcomes = 0
        for _ in 0..<40 {
            guard let event = events.randomElement(using: &random) else { continue }
            _ = machine.handle(event)
            if Bool.random(using: &random), machine.takeOutcome() != nil { outcomes += 1 }
        }
        _ = machine.handle(.cancelled)
        if machine.takeOutcome() != nil { outcomes += 1 }
        #expect(outcomes == 1)
        #expect(machine.isEnded)
    }

    private func error(_ text: String) -> any Error {
        WebImageError(.badImageData, stage: .request, kind: .permanent, reason: text)
    }
}

extension LoadStateMachine {
    /// The ending that is to be told, once; what comes before it is passed over.
    fileprivate mutating func takeOutcome() -> Outcome? {
        while let delivery = takeDelivery() {
            if case .ending(let ending) = delivery { return ending.outcome }
        }
        return nil
    }
}
