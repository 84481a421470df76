import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

extension WebImageManagerTests {
    @Test("PIPE-3 no URL and an empty URL fail with a clear error", arguments: [nil, URL(string: "")])
    func invalidURL(url: URL?) async throws {
        let recorder = LoadRecorder()
        let manager = manager
        start(url, with: manager, into: recorder)
        #expect(recorder.failureCode == .invalidURL)
        #expect(!manager.isRunning)
    }

    @Test(
        "S3-34 text is taken for an address or a path, or fails with the reason",
        arguments: [
            ("http://host/a.jpg", "http://host/a.jpg"), ("DATA:,x", "DATA:,x"),
            ("/tmp/a b.jpg", "file:///tmp/a%20b.jpg"),
            ("./a:b.jpg", nil), ("http://", nil), ("", nil), ("http://a b/", nil),
        ])
    func addresses(text: String, expected: String?) async throws {
        let recorder = LoadRecorder()
        manager.load(text, context: Self.inline, completed: recorder.completed)
        if let expected {
            #expect(loader.loads.map(\.request.url.absoluteString) == [expected])
        } else if text.hasPrefix(".") {
            #expect(loader.loads.first?.request.url.isFileURL == true)
        } else {
            #expect(recorder.failureCode == .invalidURL)
        }
    }

    @Test("S0-2 PIPE-3 a URL that gave no picture fails at once from then on, unless it is to be tried again")
    func failedURLs() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        let bad = LoadRecorder()
        start(url, with: manager, into: bad)
        try await loader.waitForLoads(1)[0].finish(Data("<html>".utf8))
        #expect(await bad.outcome().failure?.code == .badImageData)
        #expect(cache.stores.isEmpty)

        let refused = LoadRecorder()
        start(url, with: manager, into: refused)
        #expect(refused.failureCode == .blockedURL)
        let reason = try #require(await refused.outcome().failure)
        #expect((reason.underlying as? WebImageError)?.code == .badImageData)
        #expect(loader.loads.count == 1)

        let retried = LoadRecorder()
        start(url, with: manager, options: .retryFailed, into: retried)
        try await loader.waitForLoads(2)[1].finish(ScriptedCoder.file(1, 1))
        #expect(try await retried.outcome().get().cacheType == .noCache)

        let after = LoadRecorder()
        start(url, with: manager, into: after)
        #expect(try await after.outcome().get().cacheType == .memory)
    }

    @Test("MGR-6 a failed URL can be given another chance")
    func removeFailedURL() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        for forget in [{ manager.removeFailedURL(url) }, { manager.removeAllFailedURLs() }] {
            let bad = LoadRecorder()
            start(url, with: manager, into: bad)
            try await loader.waitForLoads(loader.loads.count)[loader.loads.count - 1].finish(Data("no".utf8))
            #expect(await bad.outcome().failure?.code == .badImageData)
            forget()
        }
        start(url, with: manager, into: LoadRecorder())
        #expect(loader.loads.count == 3)
    }

    @Test("A42 network failures do not put a URL on the list")
    func transientFailures() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        let codes: [WebImageError.Code] = [
            .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .transferFailed,
        ]
        for (index, code) in codes.enumerated() {
            let recorder = LoadRecorder()
            start(url, with: manager, into: recorder)
            let error = WebImageError(code, stage: .load, kind: .transient, reason: "no")
            try await loader.waitForLoads(index + 1)[index].fail(error)
            #expect(await recorder.outcome().failure?.code == code)
        }
    }

    @Test("a cached file that does not decode is removed and loaded again")
    func corruptCache() async throws {
        let url = try Self.address("a.jpg")
        let key = CacheKey(url.absoluteString)
        cache.put(Data("rubbish".utf8), for: key)
        let recorder = LoadRecorder()
        start(url, with: manager, options: .waitStoreCache, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(1, 1))
        #expect(try await recorder.outcome().get().cacheType == .noCache)
        #expect(cache.removed == [key])
        #expect(cache.disk[key]?.data == ScriptedCoder.file(1, 1))
    }
}
