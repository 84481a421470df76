import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: events of a load", .timeLimit(.minutes(5)))
struct LoadEventsTests {
    private let bench = ManagerBench()

    private static func words(_ event: LoadEvent?) -> String {
        switch event {
        case .cached: "cached"
        case .progress(let progress): "progress \(progress.receivedByteCount)"
        case .preview: "preview"
        case .partial: "partial"
        case .finished(let result): "finished \(result.cacheType)"
        case nil: "end"
        }
    }

    /// All events of a listener.
    private static func story(_ events: some AsyncSequence<LoadEvent, WebImageError>) async throws -> [String] {
        var words: [String] = []
        for try await event in events { words.append(Self.words(event)) }
        return words
    }

    @Test("a late listener gets the state so far: the cached picture, the last progress")
    func late() async throws {
        bench.cache.put(ScriptedCoder.file(2, 2), for: ManagerBench.key())
        let load = try bench.load("a.jpg", .refreshCached)
        let transfer = try await bench.transfer()
        for count in [1, 2, 3] { transfer.progress(count, of: 9) }
        let events = load.operation.events
        var listener = events.makeAsyncIterator()
        #expect(Self.words(try await listener.next(isolation: nil)) == "cached")
        #expect(Self.words(try await listener.next(isolation: nil)) == "progress 3")
        transfer.finish(ScriptedCoder.file(3, 3))
        #expect(Self.words(try await listener.next(isolation: nil)) == "finished no cache")
        #expect(try await listener.next(isolation: nil) == nil)
        #expect(try await Self.story(events) == ["cached", "progress 3", "finished no cache"])
    }

    @Test("a listener after the end gets the end, also a failure")
    func afterTheEnd() async throws {
        let good = try bench.load("a.jpg")
        try await bench.transfer(1).finish(ScriptedCoder.file(1, 1))
        _ = try await good.result()
        #expect(try await Self.story(good.operation.events) == ["finished no cache"])
        let bad = try bench.load("b.jpg")
        bad.cancel()
        var listener = bad.operation.events.makeAsyncIterator()
        await #expect(throws: WebImageError.self) { try await listener.next(isolation: nil) }
        #expect(try await listener.next(isolation: nil) == nil)
    }

    @Test("any number may listen, and a listener that leaves does not end the load")
    func leaving() async throws {
        let load = try bench.load()
        let transfer = try await bench.transfer()
        let events = load.operation.events
        var staying = events.makeAsyncIterator()
        let leaving = Task { try await Self.story(events) }
        leaving.cancel()
        _ = await leaving.result
        transfer.finish(ScriptedCoder.file(1, 1))
        #expect(Self.words(try await staying.next(isolation: nil)) == "finished no cache")
        #expect(!transfer.isCancelled)
    }

    @Test("a failure is thrown, after the events before it")
    func failure() async throws {
        let events = bench.manager.events(for: try ManagerBench.url())
        let transfer = try await bench.transfer()
        transfer.progress(5)
        transfer.fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
        var listener = events.makeAsyncIterator()
        #expect(Self.words(try await listener.next(isolation: nil)) == "progress 5")
        do {
            _ = try await listener.next(isolation: nil)
            Issue.record("no failure")
        } catch {
            #expect(error.code == .timedOut)
        }
    }

    @Test("events without any listener end their load when they are released")
    func neverHeard() async throws {
        var events: (any AsyncSequence<LoadEvent, WebImageError>)? = bench.manager.events(for: try ManagerBench.url())
        let transfer = try await bench.transfer()
        #expect(!transfer.isCancelled)
        withExtendedLifetime(events) {}
        events = nil
        try await transfer.waitForCancellation()
        #expect(!bench.manager.isRunning)
    }

    @Test("events of a picture in memory are its end alone")
    func memory() async throws {
        bench.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key())
        #expect(try await Self.story(bench.manager.events(for: try ManagerBench.url())) == ["finished memory"])
    }
}
