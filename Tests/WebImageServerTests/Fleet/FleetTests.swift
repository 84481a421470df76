import Foundation
import Glibc
import Testing
import WebImage
import WebImageCore
@testable import WebImageMemcached
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// Several servers with one memory.
@Suite("Fleet", .timeLimit(.minutes(5)))
struct FleetTests {
    /// A loaded machine is no memcached that hangs.
    private static let patient = Duration.seconds(30)
    private static var settings: MemcachedSettings {
        var settings = MemcachedSettings()
        settings.timeout = patient
        return settings
    }

    /// Nodes with one origin and the same memcacheds.
    private struct Fleet: Sendable {
        let origin: LoopbackOrigin
        let nodes: [TestServer]
        /// They end with the last reference.
        private let memcacheds: [Memcached]

        init(_ memcacheds: [Memcached], count: Int = 3, turnTime: Int = 15, timeout: Duration = FleetTests.patient)
            throws
        {
            self.memcacheds = memcacheds
            let origin = try LoopbackOrigin()
            self.origin = origin
            nodes = try (0..<count).map { _ in try Self.node(origin, memcacheds, turnTime: turnTime, timeout: timeout) }
        }

        static func node(
            _ origin: LoopbackOrigin, _ memcacheds: [Memcached], turnTime: Int = 15,
            timeout: Duration = FleetTests.patient
        ) throws -> TestServer {
            try TestServer(origin: origin) {
                $0.memcached = memcacheds.map { MemcachedServer(host: "127.0.0.1", port: $0.port) }
                $0.turnTime = turnTime
                $0.memcachedTimeout = timeout
            }
        }

        /// Asks until a result is kept: on a loaded machine its lifetime may be over when it comes.
        ///
        /// - Returns: Requests to the origin so far.
        func countUntilKept(_ options: String, _ path: String) async throws -> Int {
            while try await nodes[0].answer(options, path).headers["cache-control"]?.hasPrefix("public") != true {}
            return origin.requestCount(path)
        }

        func sum(_ metric: String) async throws -> Int {
            var sum = 0
            for node in nodes { sum += try await node.metric(metric) }
            return sum
        }
    }

    @Test("three nodes with a hundred clients each fetch and make a new picture once")
    func once() async throws {
        let fleet = try Fleet([Memcached(), Memcached()])
        let gate = Gate()
        fleet.origin.serve("/a.jpg", .picture(try ServerPicture.data(640, 480)).held(by: gate))
        let bodies = try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask { try await fleet.nodes[number % 3].answer("/w:100", "/a.jpg").body }
            }
            try await fleet.origin.waitForRequests(1)
            gate.open()
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(fleet.origin.requestCount("/a.jpg") == 1)
        #expect(try await fleet.sum("decodes_total") == 1)
    }

    @Test("what one node has made another one sends, also after a node's cache is lost")
    func sharing() async throws {
        let memcacheds = [try Memcached()]
        let fleet = try Fleet(memcacheds, count: 2)
        fleet.origin.serve("/a.jpg", .picture(try ServerPicture.data(640, 480)))
        let made = try await fleet.nodes[0].answer("/w:100", "/a.jpg")
        let fresh = try Fleet.node(fleet.origin, memcacheds)
        for node in [fleet.nodes[1], fresh] {
            let answer = try await node.answer("/w:100", "/a.jpg")
            #expect(answer.body == made.body)
            #expect(answer.headers["cache-status"] == "webimage; hit; detail=shared")
        }
        #expect(fleet.origin.requestCount("/a.jpg") == 1)
    }

    @Test("a purge at one node removes all sizes from all nodes, and their files of the source")
    func purge() async throws {
        let fleet = try Fleet([Memcached()])
        fleet.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)))
        for node in fleet.nodes { for width in [2, 4] { _ = try await node.answer("/w:\(width)", "/a.png") } }
        fleet.origin.serve("/a.png", .picture(try ServerPicture.data(16, 8, as: .png)))
        #expect(try await fleet.nodes[1].answer("", "/a.png", method: "PURGE").status == 200)
        for node in fleet.nodes {
            for width in [2, 4] {
                let size = try ServerPicture.size(try await node.answer("/w:\(width)", "/a.png"))
                #expect(size == PixelSize(width: width, height: width / 2))
            }
        }
    }

    @Test("what is being made while its source is purged is not kept")
    func purgeMeanwhile() async throws {
        let fleet = try Fleet([Memcached()], count: 2)
        let gate = Gate()
        fleet.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).held(by: gate))
        async let old = fleet.nodes[0].answer("/w:4", "/a.png")
        try await fleet.origin.waitForRequests(1)
        _ = try await fleet.nodes[1].answer("", "/a.png", method: "PURGE")
        fleet.origin.serve("/a.png", .picture(try ServerPicture.data(16, 8, as: .png)))
        gate.open()
        #expect(try ServerPicture.size(try await old) == PixelSize(width: 4, height: 4))
        for node in fleet.nodes {
            #expect(try ServerPicture.size(try await node.answer("/w:4", "/a.png")) == PixelSize(width: 4, height: 2))
        }
    }

    @Test("a node that takes long keeps its turn, and no longer than it works")
    func longerThanTurn() async throws {
        let memcached = try Memcached()
        let server = MemcachedServer(host: "127.0.0.1", port: memcached.port)
        let folder = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tier = MemcachedTier(servers: [server], settings: Self.settings)
        let store = ResultStore(disk: ImageCache(directory: folder), fleet: tier, turnSeconds: 12)
        let source = try #require(URL(string: "http://a.b/c"))
        let recipe = ResultRecipe(
            source: source, sourceKey: CacheKey("a"), options: ProcessingOptions(), wish: FormatWish(),
            quality: OutputQuality(), watermark: "")
        guard case .absent(let leave) = await store.find(recipe) else { throw TestFailure(text: "something is there") }
        let node = MemcachedNode(server, Self.settings) { .now }
        let key = EntryName(recipe.key.tierPath, MemcachedSettings()).entryKey
        // On a thread of its own: the few threads of tasks hold the turn.
        func secondsLeft() async -> Int? {
            try? await HTTPClient.onThread { try node.exchange([.get(key)]).first?.secondsLeft }
        }
        let work = Task { await store.holdTurn(recipe, leave) }
        // By memcached's own clock: less is left of the turn, and then more again.
        var least = 100
        while let left = await secondsLeft(), left <= least { least = min(least, left) }
        #expect(await secondsLeft() != nil && least < 13)
        guard case .madeElsewhere = await store.find(recipe) else { throw TestFailure(text: "the turn is lost") }
        work.cancel()
        await work.value
        await store.giveUp(recipe, leave)
        guard case .absent = await store.find(recipe) else { throw TestFailure(text: "the turn is kept") }
    }

    @Test("an outdated result is made anew by another node where the one that was about to has died")
    func diedAtRemake() async throws {
        let memcached = try Memcached()
        let server = MemcachedServer(host: "127.0.0.1", port: memcached.port)
        let folder = FileManager.default.temporaryDirectory.appending(path: "turn-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tier = MemcachedTier(servers: [server], settings: Self.settings)
        let store = ResultStore(disk: ImageCache(directory: folder), fleet: tier, turnSeconds: 15)
        let source = try #require(URL(string: "http://a.b/c"))
        let recipe = ResultRecipe(
            source: source, sourceKey: CacheKey("a"), options: ProcessingOptions(), wish: FormatWish(),
            quality: OutputQuality(), watermark: "")
        guard case .absent(let leave) = await store.find(recipe) else { throw TestFailure(text: "something is there") }
        let result = StoredResult(data: Data([1]), format: .png, keeping: .anywhere, freshUntil: Date())
        await store.keep(result, recipe, leave)
        guard case .outdated(_, _, .some) = await store.find(recipe) else { throw TestFailure(text: "no turn") }
        guard case .outdated(_, _, nil) = await store.find(recipe) else { throw TestFailure(text: "two turns") }
        // As much time has passed as two turns have.
        try await tier.renewTurn(at: recipe.key.tierPath, seconds: ResultStore.outdatedSeconds - 32)
        guard case .outdated(_, _, .some) = await store.find(recipe) else { throw TestFailure(text: "it waits") }
        guard case .outdated(_, _, nil) = await store.find(recipe) else { throw TestFailure(text: "two turns") }
    }

    @Test("a failure at one node is no answer for the others, and keeps nobody waiting")
    func failure() async throws {
        let fleet = try Fleet([Memcached()], count: 2)
        fleet.origin.serve("/a.png", .status(500), .picture(try ServerPicture.data(8, 8, as: .png)))
        #expect(try await fleet.nodes[0].answer("/w:4", "/a.png").status == 502)
        #expect(try await fleet.nodes[1].answer("/w:4", "/a.png").status == 200)
    }

    @Test("without any memcached that answers, each node serves by itself")
    func withoutMemory() async throws {
        let memcached = try Memcached()
        let fleet = try Fleet([memcached], count: 2)
        fleet.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)))
        #expect(try await fleet.nodes[0].answer("/w:4", "/a.jpg").status == 200)
        memcached.signal(SIGKILL)
        for node in fleet.nodes { #expect(try await node.answer("/w:4", "/a.jpg").status == 200) }
    }

    @Test("a memcached that hangs is waited for no longer than its time-out")
    func hanging() async throws {
        let memcached = try Memcached()
        let fleet = try Fleet([memcached], count: 2, timeout: .milliseconds(250))
        fleet.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)))
        _ = try await fleet.nodes[0].answer("/w:4", "/a.jpg")
        memcached.stop()
        for node in fleet.nodes { #expect(try await node.answer("/w:4", "/a.jpg").status == 200) }
        memcached.signal(SIGCONT)
    }

    @Test("results that are too large for the memory are made at each node, and kept there")
    func tooLarge() async throws {
        let fleet = try Fleet([Memcached()], count: 2)
        let noise = Image(bitmap: try TestPicture.noise(PixelSize(width: 800, height: 800), isOpaque: true))
        fleet.origin.serve("/a.png", .picture(try noise.data(as: .png)))
        for node in fleet.nodes + fleet.nodes {
            #expect(try await node.answer("/w:700", "/a.png").body.count > 1 << 20)
        }
        #expect(try await fleet.sum("decodes_total") == 2)
    }

    @Test("an outdated result stays where its source fails, and is made anew once the source is there again")
    func outdatedAndFailing() async throws {
        let fleet = try Fleet([Memcached()], count: 2, turnTime: 1)
        fleet.origin.serve(
            "/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).header("Cache-Control", "max-age=6"))
        let count = try await fleet.countUntilKept("/w:4", "/a.png")
        fleet.origin.serve("/a.png", .status(500))
        while fleet.origin.requestCount("/a.png") < count + 3 {
            for node in fleet.nodes {
                let answer = try await node.answer("/w:4", "/a.png")
                #expect(answer.status == 200, "\(answer.text) \(answer.headers)")
            }
        }
        fleet.origin.serve("/a.png", .picture(try ServerPicture.data(16, 8, as: .png)))
        while try ServerPicture.size(try await fleet.nodes[0].answer("/w:4", "/a.png")).height == 4 {}
    }

    @Test("an outdated result is sent at once, and made anew by one node")
    func outdated() async throws {
        let fleet = try Fleet([Memcached()], count: 2)
        fleet.origin.serve(
            "/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).header("Cache-Control", "max-age=6"))
        let count = try await fleet.countUntilKept("/w:4", "/a.png")
        fleet.origin.serve(
            "/a.png", .picture(try ServerPicture.data(16, 8, as: .png)).header("Cache-Control", "max-age=9999"))
        // The age that a server tells has whole seconds: no clock of the test's own reaches memcached and origin.
        var origins: Set<String> = []
        while fleet.origin.requestCount("/a.png") == count {
            let answer = try await fleet.nodes[1].answer("/w:4", "/a.png")
            #expect(answer.status == 200)
            origins.insert(answer.headers["cache-status"] ?? "")
        }
        while try ServerPicture.size(try await fleet.nodes[0].answer("/w:4", "/a.png")).height == 4 {}
        #expect(fleet.origin.requestCount("/a.png") == count + 1)
        #expect(origins.isSubset(of: ["webimage; hit; detail=shared", "webimage; hit; ttl=-1; detail=stale"]))
    }
}
