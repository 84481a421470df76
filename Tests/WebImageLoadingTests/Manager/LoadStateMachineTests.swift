import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTestLoads
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Load state machine")
struct LoadStateMachineTests {
    private static let url = URL(string: "http://host/a.jpg") ?? URL(filePath: "/")

    private static func machine(
        _ options: WebImageOptions = [], thumbnail: Bool = false, configure: (inout WebImageContext) -> Void = { _ in }
    ) -> LoadStateMachine {
        var context = WebImageContext()
        if thumbnail { context.thumbnailPixelSize = PixelSize(width: 8, height: 8) }
        configure(&context)
        let defaults = LoadDefaults(cache: SuspendedCache(), loader: SuspendedLoader(), coder: ScriptedCoder())
        return LoadStateMachine(
            plan: LoadPlan(
                url: url, request: ImageRequest(url, options: options, context: context), defaults: defaults))
    }

    /// Actions as words, so that a sequence is readable.
    private static func words(_ action: LoadStateMachine.Action) -> [String] {
        switch action {
        case .nothing: []
        case .both(let first, let second): words(first) + words(second)
        case .queryDisk(let file): ["query \(file)"]
        case .readFile(let file): ["read \(file)"]
        case .load(let cached): [cached == nil ? "load" : "refresh"]
        case .decode(let encoded): ["decode \(words(encoded.source))"]
        case .transform: ["transform"]
        case .freshen: ["freshen"]
        case .removeFromDisk(let file): ["remove \(file)"]
        case .store: ["store"]
        case .tell: ["tell"]
        case .end: ["end"]
        case .stop: ["stop"]
        case .stopLoading: ["stop loading"]
        }
    }

    private static func ending(_ action: LoadStateMachine.Action) -> LoadEnding? {
        switch action {
        case .both(_, let last): ending(last)
        case .end(let ending): ending
        default: nil
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
        StoredFile(entry: DiskCacheEntry(data: Data("1x1".utf8)), use: .whileRevalidated))
    private static let miss = LoadStateMachine.Event.diskAnswered(nil)
    private static let badData = LoadStateMachine.Event.decoded(
        .failure(WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "no")))

    private static func image() throws(WebImageError) -> Image {
        Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
    }

    private static func walk(
        _ machine: inout LoadStateMachine, _ events: LoadStateMachine.Event...
    ) -> [String] {
        events.flatMap { words(machine.handle($0)) }
    }

    /// The action for the last of the events, which is the end.
    private static func outcome(
        _ machine: inout LoadStateMachine, _ events: LoadStateMachine.Event...
    ) throws -> LoadStateMachine.Outcome {
        let endings = events.compactMap { ending(machine.handle($0)) }
        #expect(endings.count == 1)
        return try #require(endings.last).outcome
    }

    @Test("PIPE-4 PIPE-6 a plain load asks the disk, loads, decodes, stores and ends")
    func plain() throws {
        var machine = Self.machine()
        let image = try Self.image()
        let road = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.response)
        #expect(road == ["query result", "load", "decode loaded"])
        let last = machine.handle(.decoded(.success(DecodedImage(image))))
        #expect(Self.words(last) == ["store", "end"])
        let result = try #require(Self.ending(last)).outcome.get()
        #expect(result.cacheType == .noCache)
        #expect(result.image === image)
        #expect(!machine.isRunning)
    }

    @Test("S3-15 a picture in memory is enough, unless its file is requested too")
    func memory() throws {
        var machine = Self.machine()
        #expect(try Self.outcome(&machine, .started(inMemory: Self.image())).get().cacheType == .memory)
        var reading = Self.machine(.queryMemoryData)
        #expect(Self.walk(&reading, .started(inMemory: try Self.image())) == ["read result"])
        #expect(try Self.outcome(&reading, Self.entry).get().data == Data("1x1".utf8))
    }

    @Test("PIPE-5 A23 A28 a thumbnail queries its own file, then its original, then loads")
    func thumbnail() {
        var machine = Self.machine(thumbnail: true)
        let road = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.miss)
        #expect(road == ["query result", "query original", "load"])
    }

    @Test("PIPE-5 a plain load does not query its original twice")
    func noOriginalForPlainLoads() {
        var machine = Self.machine()
        #expect(Self.walk(&machine, .started(inMemory: nil), Self.miss) == ["query result", "load"])
    }

    @Test("OPT-15 a load from the cache only fails without a hit")
    func fromCacheOnly() throws {
        var machine = Self.machine(.fromCacheOnly)
        #expect(Self.walk(&machine, .started(inMemory: nil)) == ["query result"])
        #expect(try Self.outcome(&machine, Self.miss).failure?.code == .notCached)
    }

    @Test("OPT-16 a load from the loader only asks no cache")
    func fromLoaderOnly() {
        var machine = Self.machine(.fromLoaderOnly, thumbnail: true)
        #expect(Self.walk(&machine, .started(inMemory: nil)) == ["load"])
    }

    @Test("CTX-17 CTX-19 excluded tiers are not queried")
    func queryTypes() {
        var machine = Self.machine(thumbnail: true) { context in
            context.queryCacheType = .memory
            context.originalQueryCacheType = .noCache
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
        #expect(road == ["query result", "load", "decode loaded", "end"])
    }

    @Test("a loader that may not be used ends the load: with the picture to refresh, if there is one")
    func refused() throws {
        let refusal = LoadStateMachine.Event.refused(.notCached(Self.url))
        var machine = Self.machine()
        #expect(Self.walk(&machine, .started(inMemory: nil), Self.miss) == ["query result", "load"])
        #expect(try Self.outcome(&machine, refusal).failure?.code == .notCached)
        var refreshing = Self.machine(.refreshCached)
        let image = try Self.image()
        #expect(
            Self.walk(&refreshing, .started(inMemory: image), Self.miss) == ["tell", "read original", "refresh"])
        #expect(try Self.outcome(&refreshing, refusal).get().image === image)
    }

    @Test("a picture that another load has brought meanwhile is enough")
    func foundMeanwhile() throws {
        var machine = Self.machine()
        let image = try Self.image()
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss)
        #expect(try Self.outcome(&machine, .foundMeanwhile(image)).get().image === image)
    }

    @Test("OPT-22 PIPE-13 with waitStoreCache the picture is delivered when it is stored")
    func waitStoreCache() throws {
        var machine = Self.machine(.waitStoreCache)
        let decoded = DecodedImage(try Self.image())
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss, Self.response)
        #expect(Self.walk(&machine, .decoded(.success(decoded))) == ["store"])
        #expect(
            Self.walk(&machine, .stored(DecodedImage(decoded.image))).isEmpty, "another picture's end is not its own")
        #expect(Self.walk(&machine, .stored(decoded)) == ["end"])
    }

    @Test("A1 a cancellation at any stage stops it, and later events lead to nothing")
    func cancelAnywhere() throws {
        let image = try Self.image()
        let road: [LoadStateMachine.Event] = [
            .started(inMemory: nil), Self.miss, Self.response, .decoded(.success(DecodedImage(image))),
        ]
        for count in 0..<road.count {
            var machine = Self.machine(.waitStoreCache)
            for event in road.prefix(count) { _ = machine.handle(event) }
            #expect(Self.walk(&machine, .cancelled) == ["stop"])
            for late in road + [.stored(DecodedImage(image)), .cancelled] {
                #expect(Self.walk(&machine, late).isEmpty)
            }
        }
    }

    @Test("A3 a cancellation that comes after the end stops nothing")
    func cancelAfterEnd() throws {
        var machine = Self.machine()
        _ = try Self.outcome(&machine, .started(inMemory: Self.image()))
        #expect(Self.walk(&machine, .cancelled).isEmpty)
    }

    @Test("parts of a picture are used during its first load only")
    func parts() throws {
        var machine = Self.machine(.progressiveLoad)
        #expect(!machine.takesParts)
        _ = Self.walk(&machine, .started(inMemory: nil), Self.miss)
        #expect(machine.takesParts)
        _ = Self.walk(&machine, Self.response)
        #expect(!machine.takesParts)
        var refreshing = Self.machine([.progressiveLoad, .refreshCached])
        #expect(Self.walk(&refreshing, .started(inMemory: try Self.image())) == ["tell", "read original"])
        #expect(Self.walk(&refreshing, Self.miss) == ["refresh"])
        #expect(!refreshing.takesParts)
    }

    @Test("at most one ending, and none after a cancellation, whatever happens in whatever order", arguments: 0..<500)
    func randomWalks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let image = try Self.image()
        let events: [LoadStateMachine.Event] = [
            .started(inMemory: nil), .started(inMemory: image), Self.miss, Self.entry, Self.response, Self.badData,
            .decoded(.success(DecodedImage(image))), .stored(DecodedImage(image)), .cancelled,
            .refused(.notCached(Self.url)), .foundMeanwhile(image), .transformed(.success(DecodedImage(image))),
            .originalFound(DecodedImage(image)),
            .loaded(.failure(WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "same"))),
        ]
        let options: WebImageOptions = [.waitStoreCache, .refreshCached, .queryMemoryData, .fromLoaderOnly]
        var machine = Self.machine(
            options.intersection(WebImageOptions(rawValue: UInt.random(in: 0..<1 << 26, using: &random))),
            thumbnail: Bool.random(using: &random))
        var endings = 0
        for _ in 0..<40 {
            guard let event = events.randomElement(using: &random) else { continue }
            let words = Self.words(machine.handle(event))
            if words.contains(where: ["end", "stop"].contains) { endings += 1 }
            #expect(machine.isRunning == (endings == 0))
        }
        if Self.words(machine.handle(.cancelled)) == ["stop"] { endings += 1 }
        #expect(endings == 1)
        #expect(!machine.isRunning)
    }
}
