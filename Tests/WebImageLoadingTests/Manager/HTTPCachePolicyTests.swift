import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads of a manager whose policy leaves it to the servers how long a picture is used.
@Suite("Manager: the rules of HTTP", .timeLimit(.minutes(5)))
struct HTTPCachePolicyTests {
    private static let key = ManagerBench.key()

    private let date = ManualDate()
    private let coder = ScriptedCoder()
    private let bench: ManagerBench

    init() {
        bench = ManagerBench(coder: coder, now: { [date] in date.now })
        bench.manager.httpCachePolicy = .http
    }

    private func answer(_ fields: [String: String], status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(url: try ManagerBench.url(), statusCode: status, headers: fields)
    }

    private func unchanged(_ fields: [String: String] = [:]) throws -> WebImageError {
        var error = WebImageError(
            .cacheNotModified, stage: .load, kind: .permanent, reason: "the picture is still good", statusCode: 304)
        error.response = try answer(fields, status: 304)
        return error
    }

    private func failure(status: Int? = nil) -> WebImageError {
        WebImageError(
            status == nil ? .timedOut : .invalidDownloadStatusCode, stage: .load, kind: .transient, reason: "no answer",
            statusCode: status)
    }

    /// Loads a picture of 2 × 2 pixels from its server, so that the caches have it.
    private func fill(
        _ fields: [String: String], status: Int = 200, configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws {
        let next = bench.loader.loads.count + 1
        let load = try bench.load("a.jpg", .waitStoreCache, configure: configure)
        try await bench.transfer(next).finish(ScriptedCoder.file(2, 2), http: try answer(fields, status: status))
        _ = try await load.result()
    }

    /// Leaves the picture on the disk only.
    private func forgetMemory() { bench.cache.clear(.memory, completion: nil) }

    @Test(
        "DL-24 a fresh picture is used without asking, from memory and disk, and tells its age",
        arguments: [true, false])
    func fresh(isInMemory: Bool) async throws {
        try await fill(["cache-control": "max-age=60", "x-a": "1"])
        if !isInMemory { forgetMemory() }
        date.advance(by: 59)
        let load = try bench.load()
        let result = try await load.result()
        #expect(load.words == ["\(isInMemory ? "memory" : "disk") 2x2"])
        #expect(result.http?.statusCode == 200)
        #expect(result.http?.headers == ["cache-control": "max-age=60", "x-a": "1", "age": "59"])
        #expect(!result.isValidated)
    }

    @Test(
        "C2 a stale picture is shown only after a 304, which renews it; it is decoded once", arguments: [true, false])
    func validated(isInMemory: Bool) async throws {
        try await fill(["cache-control": "max-age=60", "etag": "\"1\"", "last-modified": "long ago"])
        if !isInMemory { forgetMemory() }
        date.advance(by: 60)
        let load = try bench.load("a.jpg", .waitStoreCache)
        let transfer = try await bench.transfer(2)
        #expect(transfer.request.validators == ["If-None-Match": "\"1\"", "If-Modified-Since": "long ago"])
        #expect(load.words.isEmpty)
        #expect(coder.decodeCount == 1)
        transfer.fail(try unchanged(["cache-control": "max-age=90"]))
        let result = try await load.result()
        #expect(load.words == ["\(isInMemory ? "memory" : "disk") 2x2"])
        #expect(result.isValidated)
        #expect(result.http?.header("cache-control") == "max-age=90")
        #expect(coder.decodeCount == (isInMemory ? 1 : 2))
        #expect(bench.cache.disk[Self.key]?.headers["cache-control"] == "max-age=90")
        date.advance(by: 89)
        let again = try bench.load()
        #expect(again.words == ["memory 2x2"])
        #expect(bench.loader.loads.count == 2)
    }

    @Test("DL-24 a changed picture replaces the stale one, which is neither shown nor decoded")
    func changed() async throws {
        try await fill(["cache-control": "max-age=0", "etag": "\"1\""])
        forgetMemory()
        let load = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(2).finish(
            ScriptedCoder.file(3, 3), http: try answer(["cache-control": "max-age=60"]))
        _ = try await load.result()
        #expect(load.words == ["loaded 3x3"])
        #expect(coder.decodeCount == 2)
        #expect(bench.cache.disk[Self.key]?.data == ScriptedCoder.file(3, 3))
        #expect(bench.cache.disk[Self.key]?.headers["etag"] == nil)
    }

    @Test(
        "DL-24 while a server may be asked in the background, the stale picture comes first", arguments: [true, false])
    func staleWhileRevalidate(isInMemory: Bool) async throws {
        try await fill(["cache-control": "max-age=60, stale-while-revalidate=60", "etag": "\"1\""])
        if !isInMemory { forgetMemory() }
        date.advance(by: 100)
        let load = try bench.load("a.jpg", .waitStoreCache)
        let transfer = try await bench.transfer(2)
        let source = isInMemory ? "memory" : "disk"
        #expect(load.words == ["cached \(source) 2x2"])
        transfer.finish(ScriptedCoder.file(3, 3), http: try answer(["cache-control": "max-age=60"]))
        _ = try await load.result()
        #expect(load.words == ["cached \(source) 2x2", "loaded 3x3"])
    }

    @Test("DL-24 a failure in the background ends the load with the stale picture")
    func failureInBackground() async throws {
        try await fill(["cache-control": "max-age=60, stale-while-revalidate=60"])
        date.advance(by: 100)
        let load = try bench.load()
        try await bench.transfer(2).fail(failure())
        _ = try await load.result()
        #expect(load.words == ["cached memory 2x2", "memory 2x2"])
        date.advance(by: 21)
        bench.manager.httpCachePolicy.showsStaleOnErrors = false
        let late = try bench.load()
        try await bench.transfer(3).fail(failure())
        #expect(try await late.failure().code == .timedOut)
        #expect(late.words == ["failed 3001"])
    }

    @Test(
        "DL-24 a server that fails is covered by the stale picture where it has said nothing, as long as it has said, or never",
        arguments: [
            ("max-age=60, stale-if-error=60", 100.0, true, true), ("max-age=60, stale-if-error=60", 121, false, false),
            ("max-age=60, stale-if-error=60, must-revalidate", 100, false, false), ("max-age=60", 100, true, false),
            ("max-age=60", 1e7, true, false), ("no-cache, stale-if-error=60", 10, false, false),
        ])
    func staleIfError(field: String, seconds: Double, isCovered: Bool, isCoveredWithoutDefault: Bool) async throws {
        for (status, isDefault) in [(nil, true), (503, true), (nil, false), (503, false)] {
            bench.manager.httpCachePolicy.showsStaleOnErrors = isDefault
            let isCovered = isDefault ? isCovered : isCoveredWithoutDefault
            bench.cache.clear(.all, completion: nil)
            let next = bench.loader.loads.count + 1
            let first = try bench.load("a.jpg", .waitStoreCache)
            try await bench.transfer(next).finish(
                ScriptedCoder.file(2, 2), http: try answer(["cache-control": field]))
            _ = try await first.result()
            forgetMemory()
            date.advance(by: seconds)
            let load = try bench.load()
            try await bench.transfer(next + 1).fail(failure(status: status))
            let ending = try await load.ending()
            #expect(((try? ending.get()) != nil) == isCovered)
        }
    }

    @Test("DL-24 an error of the request, or a demand for a new answer, is not covered by a stale picture")
    func uncoveredErrors() async throws {
        try await fill(["cache-control": "max-age=60"])
        date.advance(by: 100)
        let refused = try bench.load()
        let gone = WebImageError(
            .invalidDownloadStatusCode, stage: .load, kind: .permanent, reason: "gone", statusCode: 404)
        try await bench.transfer(2).fail(gone)
        #expect(try await refused.failure().statusCode == 404)
        let reload = try bench.load("a.jpg", .retryFailed) { $0.httpHeaders = ["Cache-Control": "no-cache"] }
        try await bench.transfer(3).fail(failure())
        #expect(try await reload.failure().code == .timedOut)
    }

    @Test("DL-24 a result says whether its picture is older than the server allows, and the times of being asked")
    func told() async throws {
        try await fill(["cache-control": "max-age=60, stale-while-revalidate=60, stale-if-error=99"])
        #expect(try await !bench.load().result().isStale)
        date.advance(by: 60)
        for isInMemory in [true, false] {
            if !isInMemory { forgetMemory() }
            #expect(try await bench.load("a.jpg", .fromCacheOnly).result().isStale)
            if !isInMemory { forgetMemory() }
            let failing = try bench.load()
            try await bench.transfer(isInMemory ? 2 : 3).fail(failure())
            #expect(try await failing.result().isStale)
        }
        let load = try bench.load("a.jpg", .waitStoreCache)
        var answer = try unchanged(["cache-control": "max-age=90"])
        answer.metrics = TransferMetrics(total: .seconds(30))
        let transfer = try await bench.transfer(4)
        let shown = load.story.events.compactMap { if case .update(.cached(let result)) = $0 { result } else { nil } }
        #expect(shown.map(\.isStale) == [true])
        transfer.fail(answer)
        let result = try await load.result()
        #expect(!result.isStale && result.isValidated)
        #expect(result.metrics?.total == .seconds(30))
        // As old as the response may be.
        #expect(result.http?.header("age") == "30")
        date.advance(by: 59)
        #expect(try await !bench.load().result().isStale)
        date.advance(by: 1)
        #expect(try await bench.load("a.jpg", .fromCacheOnly).result().isStale)
    }

    @Test("DL-24 what may not be stored is in no tier, and takes the older picture with it")
    func notStored() async throws {
        try await fill(["cache-control": "max-age=0"])
        let load = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(2).finish(
            ScriptedCoder.file(3, 3), http: try answer(["cache-control": "no-store"]))
        _ = try await load.result()
        #expect(bench.cache.memory.isEmpty && bench.cache.disk.isEmpty)
    }

    @Test("DL-24 a part, an error and a request that forbids it are not stored")
    func unstorable() async throws {
        try await fill(["cache-control": "max-age=60", "content-range": "bytes 0-2/9"], status: 206)
        #expect(bench.cache.memory.isEmpty && bench.cache.disk.isEmpty)
        let again = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(2).finish(ScriptedCoder.file(2, 2), http: try answer([:], status: 502))
        _ = try await again.result()
        #expect(bench.cache.memory.isEmpty && bench.cache.disk.isEmpty)
        let silent = try bench.load("a.jpg", .waitStoreCache) { $0.httpHeaders = ["Cache-Control": "no-store"] }
        try await bench.transfer(3).finish(
            ScriptedCoder.file(2, 2), http: try answer(["cache-control": "max-age=60"]))
        _ = try await silent.result()
        #expect(bench.cache.memory.isEmpty && bench.cache.disk.isEmpty)
    }

    @Test("DL-24 a load that may not ask takes a stale picture, unless the server has forbidden that")
    func cacheOnly() async throws {
        try await fill(["cache-control": "max-age=60"])
        date.advance(by: 100)
        for isInMemory in [true, false] {
            if !isInMemory { forgetMemory() }
            _ = try await bench.load("a.jpg", .fromCacheOnly).result()
            let strict = try bench.load { $0.httpHeaders = ["cache-control": "only-if-cached"] }
            #expect(try await strict.failure().code == .notCached)
        }
        try await fill(["cache-control": "no-cache"])
        for isInMemory in [true, false] {
            if !isInMemory { forgetMemory() }
            #expect(try await bench.load("a.jpg", .fromCacheOnly).failure().code == .notCached)
        }
    }

    @Test("DL-24 a request may want a younger picture, a fresher one, or another variant")
    func requestFields() async throws {
        try await fill(["cache-control": "max-age=60", "vary": "Accept-Language", "etag": "\"1\""]) {
            $0.httpHeaders = ["Accept-Language": "en, DE"]
        }
        date.advance(by: 20)
        let wishes = [
            ["cache-control": "max-age=30"], ["cache-control": "max-age=10"], ["cache-control": "min-fresh=50"],
            ["cache-control": "no-cache"], ["accept-language": "fr"],
        ]
        var asked = 1
        for (number, wish) in wishes.enumerated() {
            let fields = ["accept-language": "de,en"].merging(wish) { $1 }
            let load = try bench.load { $0.httpHeaders = fields }
            if number == 0 {
                #expect(load.words == ["memory 2x2"])
                continue
            }
            asked += 1
            let transfer = try await bench.transfer(asked)
            #expect(transfer.request.validators == ["If-None-Match": "\"1\""])
            load.cancel()
        }
    }

    private static let thumbnail = key.thumbnail(.square(1), preservesAspectRatio: true)

    private func loadThumbnail(_ options: WebImageOptions = .waitStoreCache) throws -> ManagedLoad {
        forgetMemory()
        return try bench.load("a.jpg", options) { $0.thumbnailPixelSize = .square(1) }
    }

    @Test("DL-24 a thumbnail has a file of its own, which the fields of its original decide about")
    func thumbnails() async throws {
        try await fill(["cache-control": "max-age=60", "etag": "\"1\""]) { $0.thumbnailPixelSize = .square(1) }
        let file = try #require(bench.cache.disk[Self.thumbnail])
        #expect(file.headers == [":original": FileFingerprint(ScriptedCoder.file(2, 2)).text])
        // Told by its size.
        bench.cache.put(DiskCacheEntry(data: ScriptedCoder.file(7, 7), headers: file.headers), for: Self.thumbnail)
        let fresh = try loadThumbnail()
        #expect(try await fresh.result().http?.header("age") == "0")
        #expect(fresh.words == ["disk 7x7"])
        date.advance(by: 60)
        let stale = try loadThumbnail()
        try await bench.transfer(2).fail(try unchanged())
        #expect(try await stale.result().isValidated)
        #expect(stale.words == ["disk 7x7"])
        let inMemory = try bench.load { $0.thumbnailPixelSize = .square(1) }
        #expect(inMemory.words == ["memory 7x7"])
        #expect(coder.encodeCount == 1)
    }

    @Test("DL-24 a thumbnail of another file than the original on the disk is not used, and is replaced")
    func outdatedThumbnail() async throws {
        try await fill(["cache-control": "max-age=60"]) { $0.thumbnailPixelSize = .square(1) }
        bench.cache.put(ScriptedCoder.file(7, 7), for: Self.thumbnail)
        let load = try loadThumbnail()
        _ = try await load.result()
        #expect(load.words == ["disk 1x1"])
        #expect(bench.cache.disk[Self.thumbnail]?.data == ScriptedCoder.file(1, 1))
        // A damaged one as well.
        let headers = try #require(bench.cache.disk[Self.thumbnail]?.headers)
        bench.cache.put(DiskCacheEntry(data: Data("damaged".utf8), headers: headers), for: Self.thumbnail)
        let again = try loadThumbnail()
        _ = try await again.result()
        #expect(again.words == ["disk 1x1"])
        #expect(bench.cache.disk[Self.thumbnail]?.data == ScriptedCoder.file(1, 1))
        // And without its original there is nothing that says how long it may be used.
        bench.cache.remove(for: Self.key, from: .disk, completion: nil)
        let orphan = try loadThumbnail(.fromCacheOnly)
        #expect(try await orphan.failure().code == .notCached)
    }

    @Test("DL-24 what may not be stored leaves no file of its thumbnail either")
    func unstorableThumbnail() async throws {
        try await fill(["cache-control": "no-store"]) { $0.thumbnailPixelSize = .square(1) }
        #expect(bench.cache.disk.isEmpty)
    }

    @Test("DL-24 with refreshCached a thumbnail from its own file is shown first, and renewed with its original")
    func refreshedThumbnail() async throws {
        try await fill(["cache-control": "max-age=60"]) { $0.thumbnailPixelSize = .square(1) }
        date.advance(by: 60)
        let load = try loadThumbnail([.refreshCached, .waitStoreCache])
        let transfer = try await bench.transfer(2)
        #expect(load.words == ["cached disk 1x1"])
        transfer.finish(ScriptedCoder.file(3, 3), http: try answer(["cache-control": "max-age=60"]))
        _ = try await load.result()
        #expect(load.words == ["cached disk 1x1", "loaded 1x1"])
        #expect(
            bench.cache.disk[Self.thumbnail]?.headers == [":original": FileFingerprint(ScriptedCoder.file(3, 3)).text])
    }

    @Test("DL-24 a part of a fresh picture comes from the whole on disk, and stays out of memory")
    func parts() async throws {
        try await fill(["cache-control": "max-age=60"])
        let part = try bench.load { $0.httpHeaders = ["Range": "bytes=0-"] }
        let result = try await part.result()
        #expect(result.http?.statusCode == 206)
        #expect(result.http?.header("content-range") == "bytes 0-2/3")
        forgetMemory()
        _ = try await bench.load { $0.httpHeaders = ["Range": "bytes=0-"] }.result()
        #expect(bench.cache.memory.isEmpty)
        date.advance(by: 60)
        let stale = try bench.load { $0.httpHeaders = ["Range": "bytes=0-2"] }
        #expect(try await bench.transfer(2).request.validators.isEmpty)
        stale.cancel()
    }

    @Test("DL-24 the same bytes with new fields renew the picture, and are not decoded")
    func sameBytes() async throws {
        try await fill(["cache-control": "max-age=0", "x-old": "1"], status: 203)
        let load = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(2).finish(
            ScriptedCoder.file(2, 2), http: try answer(["cache-control": "max-age=60"]))
        let result = try await load.result()
        #expect(!result.isValidated)
        #expect(coder.decodeCount == 1)
        #expect(bench.cache.disk[Self.key]?.headers == ["cache-control": "max-age=60", ":status": "200"])
    }

    @Test("DL-24 pictures that are not from HTTP are used as ever")
    func notHTTP() async throws {
        bench.cache.put(ScriptedCoder.file(4, 4), for: Self.key)
        date.advance(by: 1e9)
        let load = try bench.load()
        _ = try await load.result()
        #expect(load.words == ["disk 4x4"])
    }

    @Test("DL-24 with refreshCached the cached picture is shown first, unless fresh")
    func refreshing() async throws {
        try await fill(["cache-control": "max-age=60"])
        let fresh = try bench.load("a.jpg", .refreshCached)
        _ = try await fresh.result()
        #expect(fresh.words == ["cached memory 2x2", "memory 2x2"])
        date.advance(by: 60)
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer(2).fail(failure())
        #expect(try await load.failure().code == .timedOut)
        #expect(load.words == ["cached memory 2x2", "failed 3001"])
    }

    @Test("OPT-22 C2 what a 304 says is on the disk when a load that waits for its stores ends")
    func awaited() async throws {
        let cache = SuspendedCache(holdsStores: true)
        let bench = ManagerBench(cache: cache, now: { [date] in date.now })
        cache.put(
            DiskCacheEntry(data: ScriptedCoder.file(2, 2), storedAt: date.now, headers: ["etag": "\"1\""]),
            for: Self.key)
        let load = try bench.load("a.jpg", [.refreshCached, .waitStoreCache])
        try await bench.transfer().fail(try unchanged(["cache-control": "max-age=3600"]))
        #expect(load.words == ["cached disk 2x2"])
        cache.releaseStores()
        _ = try await load.result()
        #expect(load.words == ["cached disk 2x2", "disk 2x2"])
        #expect(cache.disk[Self.key]?.headers["cache-control"] == "max-age=3600")
    }

    @Test(
        "C2 a 304 is written only if a later load decides otherwise for it",
        arguments: [
            (["age": "7", "date": "Sat, 03 Jan 2026 00:00:00 GMT"], false), (["etag": "\"2\""], true),
            (["cache-control": "max-age=90"], true),
        ])
    func written(fields: [String: String], isWritten: Bool) async throws {
        try await fill(["cache-control": "no-cache", "etag": "\"1\""])
        date.advance(by: 60)
        let load = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(2).fail(try unchanged(fields))
        #expect(try await load.result().isValidated)
        #expect(bench.cache.disk[Self.key]?.storedAt == (isWritten ? date.now : date.now - 60))
    }

    @Test("OPT-6 a server that was not checked renews no picture for loads that check")
    func uncheckedServer() async throws {
        try await fill(["cache-control": "max-age=60", "etag": "\"1\""])
        date.advance(by: 60)
        let load = try bench.load("a.jpg", [.allowInvalidSSLCertificates, .waitStoreCache])
        try await bench.transfer(2).fail(try unchanged(["cache-control": "max-age=9999999"]))
        _ = try await load.result()
        forgetMemory()
        #expect(bench.cache.disk[Self.key]?.headers["cache-control"] == "max-age=60")
        #expect(bench.cache.disk[Self.key]?.storedAt == date.now - 60)
    }

    @Test("OPT-22 a load that waits for its stores ends when the file is gone that its answer does not allow any more")
    func removalAwaited() async throws {
        let mayRemove = Gate()
        let manager = WebImageManager(
            cache: ImageCache(memoryCache: MemoryCache(), diskCache: HeldRemovals(mayRemove)), loader: bench.loader,
            coder: coder)
        let load = manager.observed(ImageRequest(try ManagerBench.url(), options: [.fromLoaderOnly, .waitStoreCache]))
        let other = manager.observed(ImageRequest(try ManagerBench.url(), options: .fromLoaderOnly))
        for number in 1...2 {
            try await bench.transfer(number).finish(
                ScriptedCoder.file(2, 2), http: try answer(["cache-control": "no-store"]))
        }
        _ = try await other.result()
        #expect(load.words.isEmpty)
        mayRemove.open()
        _ = try await load.result()
        #expect(load.words == ["loaded 2x2"])
    }

    /// A disk that removes nothing before it may.
    private final class HeldRemovals: DiskCaching {
        private let mayRemove: Gate

        init(_ mayRemove: Gate) { self.mayRemove = mayRemove }

        func contains(_ key: CacheKey) -> Bool { false }
        func entry(for key: CacheKey) -> DiskCacheEntry? { nil }
        func store(_ entry: DiskCacheEntry, for key: CacheKey) {}
        func remove(for key: CacheKey) { mayRemove.waitBlocking() }
        func removeAll() {}
        func removeExpired() {}
        func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
    }
}
