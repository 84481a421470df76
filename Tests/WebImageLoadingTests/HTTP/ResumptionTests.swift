import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Transfers that go on after an interruption", .timeLimit(.minutes(5)))
struct ResumptionTests {
    private let body = sampleBytes(100_000)
    private let origin: LoopbackOrigin
    /// The beginnings that the load kept.
    private let kept = Observed<[PartialBody]>([])

    init() throws { origin = try LoopbackOrigin() }

    private func load(
        after part: PartialBody? = nil, over transport: Transport = .libcurl, reportsData: Bool = false
    ) -> RecordedLoad {
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.partialBody = part
        request.reportsData = reportsData
        request.keepPartialBody = { [kept] part in kept.update { $0.append(part) } }
        return RecordedLoad(request, by: transport.downloader())
    }

    /// Serves `body` with ranges, if the validator is `tag`.
    private func serveRanges(tag: String = "\"1\"") {
        origin.serve("/a") { [body] request in
            guard let range = request.header("range"), request.header("if-range") == tag,
                let first = Int(range.dropFirst("bytes=".count).dropLast())
            else { return OriginResponse(body: body).header("ETag", tag) }
            return OriginResponse(status: 206, body: body.dropFirst(first)).header("ETag", tag)
                .header("Content-Range", "bytes \(first)-\(body.count - 1)/\(body.count)")
        }
    }

    @Test("an interrupted body is kept, and the next transfer asks for the rest only", arguments: Transport.allCases)
    func resumed(over transport: Transport) async throws {
        origin.serve("/a", OriginResponse(body: body).header("ETag", "\"1\"").closed(afterBytes: 60_000))
        #expect(await load(over: transport).error?.code == .connectionLost)
        let part = try #require(kept.value.first)
        #expect(part == PartialBody(data: body.prefix(60_000), validator: "\"1\"", totalByteCount: 100_000))
        serveRanges()
        let load = load(after: part, over: transport, reportsData: true)
        let response = try await load.response
        #expect(response.data == body)
        #expect(response.http?.statusCode == 200)
        #expect(response.http?.header("content-length") == "100000")
        #expect(response.http?.header("content-range") == nil)
        #expect(load.progress.last == LoadProgress(receivedByteCount: 100_000, expectedByteCount: 100_000))
        #expect(load.progress.allSatisfy { $0.receivedByteCount == 0 || $0.receivedByteCount >= 60_000 })
        #expect(body.starts(with: load.reportedData))
        let sent = try #require(origin.requests.last)
        #expect(sent.header("range") == "bytes=60000-" && sent.header("if-range") == "\"1\"")
        #expect(kept.value.count == 1)
    }

    @Test("a cancelled body is kept as well, and one that times out")
    func cancelled() async throws {
        origin.serve("/a", OriginResponse(body: body).header("ETag", "\"1\"").stalling(afterBytes: 50_000))
        let cancelled = load()
        await cancelled.waitForProgress { $0.receivedByteCount == 50_000 }
        cancelled.cancel()
        #expect(await cancelled.error?.isCancelled == true)
        #expect(try await kept.wait { !$0.isEmpty }.first?.data.count == 50_000)
        // Long enough for the beginning to come.
        var request = ImageLoadRequest(url: origin.url("/a"), timeout: .seconds(2))
        request.keepPartialBody = { [kept] part in kept.update { $0.append(part) } }
        #expect(await RecordedLoad(request, by: WebImageDownloader.direct()).error?.code == .timedOut)
        #expect(kept.value.count == 2)
    }

    @Test("a body that has changed comes whole, by 200, and so does one that the server cannot continue")
    func changed() async throws {
        let part = PartialBody(data: sampleBytes(50_000, seed: 5), validator: "\"0\"")
        serveRanges(tag: "\"1\"")
        #expect(try await load(after: part).response.data == body)
        #expect(origin.requests.count == 1)
        let useless = [
            OriginResponse(status: 416).header("Content-Range", "bytes */100000"),
            OriginResponse(status: 206, body: body.dropFirst(10)).header("Content-Range", "bytes 10-99999/100000"),
            OriginResponse(status: 206, body: body.dropFirst(50_000)).header("Content-Range", "bytes 50000-99999/*"),
            OriginResponse(status: 206, body: body.dropFirst(50_000)),
            OriginResponse(status: 206, body: body.dropFirst(50_000)).header("ETag", "\"2\"")
                .header("Content-Range", "bytes 50000-99999/100000"),
        ]
        for answer in useless {
            origin.serve("/a") { [body] request in
                request.header("range") == nil ? OriginResponse(body: body) : answer
            }
            let load = load(after: part)
            #expect(try await load.response.data == body)
            #expect(load.hasEndedOnce)
            #expect(origin.requests.last?.header("if-range") == nil)
        }
    }

    /// The rest of the body as a server sends it that has `validator`, in a field of that name, and `total` bytes in all.
    private func rest(_ field: String, _ validator: String, total: Int = 100_000) -> OriginResponse {
        OriginResponse(status: 206, body: body.dropFirst(50_000)).header(field, validator)
            .header("Content-Range", "bytes 50000-\(total - 1)/\(total)")
    }

    private static let dates = ["Sun, 01 Nov 2026 10:00:00 GMT", "Mon, 02 Nov 2026 10:00:00 GMT"]

    @Test("a rest is joined only by the same strong validator, total and range", arguments: Transport.allCases)
    func otherFiles(over transport: Transport) async throws {
        let (tag, date) = ("\"1\"", Self.dates[0])
        let longer = body.dropFirst(50_000) + sampleBytes(10)
        var (chunked, short) = (rest("ETag", tag), rest("ETag", tag))
        (chunked.body, chunked.framing) = (longer, .chunked)
        (short.body, short.framing) = (body.dropFirst(50_000).dropLast(10), .chunked)
        var (announced, grown) = (rest("ETag", tag), rest("Last-Modified", date, total: 100_010))
        (announced.body, grown.body) = (longer, longer)
        let answers: [(String, OriginResponse)] = [
            (date, rest("Last-Modified", Self.dates[1])), (date, rest("X", "1")), (tag, rest("X", "1")),
            (tag, rest("Last-Modified", date)), (tag, rest("ETag", "W/\(tag)")), (date, grown),
            (tag, chunked), (tag, short), (tag, announced), (tag, .status(304)), (tag, .status(204)),
            (date, rest("Last-Modified", date).header("ETag", tag)),
            (tag, rest("ETag", tag).header("Content-Type", "multipart/byteranges; boundary=a")),
        ]
        for (number, (validator, answer)) in answers.enumerated() {
            origin.serve("/a") { [body] request in
                request.header("range") == nil ? OriginResponse(body: body) : answer
            }
            // Bytes that no server has: where they come back, two files were joined.
            let part = PartialBody(
                data: Data(repeating: 7, count: 50_000), validator: validator, totalByteCount: 100_000)
            let load = load(after: part, over: transport, reportsData: true)
            #expect(try await load.response.data == body, "\(number)")
            let told = load.reportedData
            #expect(body.starts(with: told) || (part.data + answer.body).starts(with: told), "\(number)")
            #expect(origin.requests.last?.header("range") == nil && origin.requests.last?.header("if-range") == nil)
        }
    }

    @Test("a date that both have joins them, too, and so does a total that was not known")
    func sameFile() async throws {
        let date = Self.dates[0]
        origin.serve("/a", rest("Last-Modified", date))
        for total in [nil, 100_000] {
            let part = PartialBody(data: body.prefix(50_000), validator: date, totalByteCount: total)
            #expect(try await load(after: part).response.data == body)
        }
        #expect(origin.requests.count == 2)
    }

    @Test(
        "a transfer begins anew at once, and does not wait for a rest that is of no use", arguments: Transport.allCases)
    func atOnce(over transport: Transport) async throws {
        let answers = [rest("ETag", "\"2\"").stalling(afterBytes: 0), rest("ETag", "\"2\"").stalling(afterBytes: 10)]
        for answer in answers {
            origin.serve("/a") { [body] request in
                request.header("range") == nil ? OriginResponse(body: body) : answer
            }
            let part = PartialBody(data: body.prefix(50_000), validator: "\"1\"", totalByteCount: 100_000)
            #expect(try await load(after: part, over: transport).response.data == body)
        }
    }

    @Test("the beginning is kept while the rest is coming, each time twice as much has come, and not for quick bodies")
    func copies() async throws {
        let gates = (Gate(), Gate())
        defer { gates.0.open(); gates.1.open() }
        let answer = OriginResponse(body: body).header("ETag", "\"1\"")
        origin.serve("/a", answer.held(by: gates.0, afterBytes: 20_000).held(by: gates.1, afterBytes: 50_000))
        var request = ImageLoadRequest(url: origin.url("/a"))
        request.keepPartialBody = { [kept] part in kept.update { $0.append(part) } }
        let eager = RecordedLoad(request, by: WebImageDownloader.direct { $0.partialBodyInterval = .zero })
        let usual = RecordedLoad(request, by: WebImageDownloader.direct { $0.partialBodyInterval = .seconds(3600) })
        try await kept.wait { $0.last?.data.count == 20_000 }
        gates.0.open()
        try await kept.wait { $0.last?.data.count == 50_000 }
        gates.1.open()
        #expect(try await eager.response.data == body)
        #expect(try await usual.response.data == body)
        #expect(kept.value.allSatisfy { body.starts(with: $0.data) && $0.validator == "\"1\"" })
        let sizes = kept.value.map(\.data.count)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1 >= 2 * $0 }, "\(sizes)")
    }

    @Test("a copy is made no more often than the interval, and of twice as much")
    func schedule() {
        let start = SuspendingClock.now
        var schedule = PartialBodySchedule(interval: .seconds(1), now: start)
        let early = schedule.isDue(1 << 20, at: start + .milliseconds(999))
        let tooLittle = schedule.isDue(Resumption.leastByteCount - 2, at: start + .seconds(1))
        let first = schedule.isDue(1 << 20, at: start + .seconds(1))
        let tooSoon = schedule.isDue(2 << 20, at: start + .milliseconds(1999))
        let notTwice = schedule.isDue((2 << 20) - 2, at: start + .seconds(9))
        schedule.note(4 << 20)
        let notTwiceThePart = schedule.isDue(7 << 20, at: start + .seconds(9))
        let second = schedule.isDue(8 << 20, at: start + .seconds(9))
        #expect([early, tooLittle, tooSoon, notTwice, notTwiceThePart] == [false, false, false, false, false])
        #expect(first && second)
    }

    @Test("only what a server would continue is kept")
    func notKept() async throws {
        let answers = [
            OriginResponse(body: body), OriginResponse(body: body).header("ETag", "W/\"1\""),
            OriginResponse(body: body).header("ETag", "\"1\"").header("Accept-Ranges", "none"),
            OriginResponse(body: body).header("ETag", "\"1\"").header("Cache-Control", "no-store"),
        ]
        for answer in answers {
            origin.serve("/a", answer.closed(afterBytes: 60_000))
            #expect(await load().error?.code == .connectionLost)
        }
        origin.serve("/a", OriginResponse(body: body).header("ETag", "\"1\"").closed(afterBytes: 100))
        #expect(await load().error?.code == .connectionLost)
        #expect(kept.value.isEmpty)
    }

    @Test("a load that goes on and is interrupted again keeps all of it")
    func twice() async throws {
        let part = PartialBody(data: body.prefix(50_000), validator: "\"1\"")
        origin.serve(
            "/a",
            OriginResponse(status: 206, body: body.dropFirst(50_000)).header("ETag", "\"1\"")
                .header("Content-Range", "bytes 50000-99999/100000").closed(afterBytes: 20_000))
        #expect(await load(after: part).error?.code == .connectionLost)
        #expect(kept.value.first?.data == body.prefix(70_000))
    }

    // MARK: The disk cache

    private static func manager(_ directory: CacheDirectory, resumes: Bool = true) -> WebImageManager {
        let manager = WebImageManager(
            cache: ImageCache(directory: directory.path), loader: WebImageDownloader.direct())
        manager.resumesTransfers = resumes
        return manager
    }

    @Test("the beginning of a picture survives its manager on disk, and the next one asks for the rest only")
    func managers() async throws {
        let directory = try CacheDirectory()
        let picture = BMPBuilder(
            width: 200, height: 200, bitsPerPixel: 24, pixels: (0..<120_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }
        ).data
        let partial = OriginResponse(contentType: "image/bmp", body: picture).header("ETag", "\"1\"")
        origin.serve("/a", partial.closed(afterBytes: 80_000))
        let url = origin.url("/a")
        await #expect(throws: WebImageError.self) { try await Self.manager(directory).image(for: url) }
        // The entry is written in the order of the stores, before a store that is waited for.
        let cache = ImageCache(directory: directory.path)
        while try cache.queryDiskBlocking(for: CacheKey("partial:\(url.absoluteString)")) == nil { await Task.yield() }
        origin.serve("/a") { request in
            guard request.header("range") == "bytes=80000-", request.header("if-range") == "\"1\"" else {
                return partial
            }
            return OriginResponse(status: 206, contentType: "image/bmp", body: picture.dropFirst(80_000))
                .header("Content-Range", "bytes 80000-\(picture.count - 1)/\(picture.count)").header("ETag", "\"1\"")
        }
        let result = try await Self.manager(directory).result(for: url, options: .waitStoreCache)
        #expect(result.data == picture)
        #expect(result.image.pixelSize == PixelSize(width: 200, height: 200))
        #expect(origin.requests.map { $0.header("range") } == [nil, "bytes=80000-"])
        // A body that is whole now has no beginning any more, and the entry's fields are those of the whole.
        while try cache.queryDiskBlocking(for: CacheKey("partial:\(url.absoluteString)")) != nil { await Task.yield() }
        let entry = try #require(try cache.queryDiskBlocking(for: CacheKey(url.absoluteString)))
        #expect(entry.data == picture && entry.headers["content-range"] == nil)
    }

    @Test("a beginning that was kept while the rest was coming is gone with the whole picture")
    func removedCopy() async throws {
        let directory = try CacheDirectory()
        let picture = try Fixtures.data("photo-small.png") + Data(repeating: 0, count: 100_000)
        let gate = Gate()
        defer { gate.open() }
        origin.serve("/a", OriginResponse.picture(picture).header("ETag", "\"1\"").held(by: gate, afterBytes: 50_000))
        let manager = WebImageManager(
            cache: ImageCache(directory: directory.path),
            loader: WebImageDownloader.direct { $0.partialBodyInterval = .zero })
        manager.resumesTransfers = true
        let (cache, url) = (ImageCache(directory: directory.path), origin.url("/a"))
        let load = Task { try await manager.result(for: url, options: .waitStoreCache) }
        let key = CacheKey("partial:\(url.absoluteString)")
        while try cache.queryDiskBlocking(for: key)?.data != picture.prefix(50_000) { await Task.yield() }
        gate.open()
        #expect(try await load.value.data == picture)
        while try cache.queryDiskBlocking(for: key) != nil { await Task.yield() }
    }

    @Test("without the setting nothing is kept, and nothing is asked of the disk")
    func managersWithoutSetting() async throws {
        let directory = try CacheDirectory()
        let usual = WebImageManager(cache: ImageCache(directory: directory.path), loader: WebImageDownloader.direct())
        #expect(!usual.resumesTransfers)
        origin.serve("/a", OriginResponse(body: body).header("ETag", "\"1\"").closed(afterBytes: 60_000))
        let manager = Self.manager(directory, resumes: false)
        await #expect(throws: WebImageError.self) { try await manager.image(for: origin.url("/a")) }
        #expect(directory.files.isEmpty)
    }
}
