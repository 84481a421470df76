import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("What a downloader promises, whatever performs its exchanges", .timeLimit(.minutes(5)))
struct DownloaderPromiseTests {
    private let body = sampleBytes(50_000)
    private let origin: LoopbackOrigin

    init() throws { origin = try LoopbackOrigin() }

    private func load(
        _ path: String = "/a", by downloader: WebImageDownloader, _ change: (inout ImageLoadRequest) -> Void = { _ in }
    ) -> RecordedLoad {
        var request = ImageLoadRequest(url: origin.url(path))
        change(&request)
        return RecordedLoad(request, by: downloader)
    }

    @Test("S4-1 DL-30 a body arrives whole, with its head, its progress and its bytes", arguments: Transport.allCases)
    func whole(over transport: Transport) async throws {
        for answer in [
            OriginResponse(body: body), OriginResponse(body: body).chunked(1000),
            OriginResponse(body: body).untilClose(),
        ] {
            origin.serve("/a", answer.header("ETag", "\"1\""))
            let load = load(by: transport.downloader()) { $0.reportsData = true }
            let response = try await load.response
            #expect(response.data == body)
            #expect(response.http?.statusCode == 200)
            #expect(response.http?.url == origin.url("/a"))
            #expect(response.http?.header("etag") == "\"1\"")
            #expect(load.hasEndedOnce)
            #expect(load.progress.first?.receivedByteCount == 0)
            #expect(load.progress.last?.receivedByteCount == body.count)
            #expect(load.progress.last?.expectedByteCount == (answer.framing == .contentLength ? body.count : nil))
            #expect(body.starts(with: load.reportedData))
        }
    }

    @Test("DL-30 the finished request is what is sent", arguments: Transport.allCases)
    func request(over transport: Transport) async throws {
        origin.serve("/a", .text("x"))
        let downloader = transport.downloader { $0.headers["X-Client"] = "config" }
        downloader.requestModifier = WebImageDownloaderRequestModifier(
            method: "PUT", headers: ["X-Modified": "1"], body: Data("body".utf8))
        _ = try await load(by: downloader) { $0.validators = ["If-None-Match": "\"1\""] }.response
        let sent = try #require(origin.requests.first)
        #expect(sent.method == "PUT" && sent.body == Data("body".utf8))
        #expect(sent.header("x-client") == "config" && sent.header("x-modified") == "1")
        #expect(sent.header("if-none-match") == "\"1\"")
        #expect(sent.header("accept") == "image/*,*/*;q=0.8")
        #expect(sent.header("user-agent")?.hasPrefix("WebImage/") == true)
    }

    @Test("DL-18 loads of one request share an exchange, and each ends once", arguments: Transport.allCases)
    func sharing(over transport: Transport) async throws {
        let gate = Gate()
        origin.serve("/a", OriginResponse(body: body).held(by: gate, afterBytes: 10_000))
        let downloader = transport.downloader()
        let loads = (0..<5).map { _ in load(by: downloader) }
        try await origin.waitForRequests(1)
        loads[0].cancel()
        #expect(await loads[0].error?.isCancelled == true)
        gate.open()
        for load in loads.dropFirst() { #expect(try await load.response.data == body) }
        #expect(loads.allHaveEndedOnce)
        #expect(origin.requests.count == 1)
    }

    @Test("DL-20 the last load that leaves ends the exchange, and the place is free", arguments: Transport.allCases)
    func cancellation(over transport: Transport) async throws {
        origin.serve("/a", OriginResponse(body: body).stalling(afterBytes: 100))
        origin.serve("/b", OriginResponse(body: body))
        let downloader = transport.downloader { $0.maxConcurrentDownloads = 1 }
        let stalled = load(by: downloader)
        try await origin.waitForRequests(1)
        stalled.cancel()
        #expect(await stalled.error?.isCancelled == true)
        #expect(try await load("/b", by: downloader).response.data == body)
        #expect(try await origin.waitForRequests { $0.first?.ending != nil }.first?.ending == .clientLeft)
        #expect(stalled.hasEndedOnce)
    }

    @Test("DL-6 waiting loads begin by priority, and no more at a time than allowed", arguments: Transport.allCases)
    func queue(over transport: Transport) async throws {
        let gate = Gate()
        origin.fallback = { _ in .text("x") }
        origin.serve("/1", OriginResponse(body: body).held(by: gate))
        let downloader = transport.downloader { $0.maxConcurrentDownloads = 1 }
        let first = load("/1", by: downloader)
        try await origin.waitForRequests(1)
        let loads = [("/4", LoadPriority.low), ("/3", .normal), ("/2", .high)].map { path, priority in
            load(path, by: downloader) { $0.priority = priority }
        }
        try await downloader.settle()
        #expect(origin.requests.count == 1)
        gate.open()
        for load in [first] + loads { _ = try await load.response }
        #expect(origin.requests.map(\.path) == ["/1", "/2", "/3", "/4"])
    }

    @Test("DL-29 nothing begins while the downloader is suspended", arguments: Transport.allCases)
    func suspended(over transport: Transport) async throws {
        origin.fallback = { _ in .text("x") }
        let downloader = transport.downloader()
        downloader.isSuspended = true
        let waiting = [load("/1", by: downloader), load("/2", by: downloader)]
        try await downloader.settle()
        #expect(downloader.isSuspended && origin.requests.isEmpty && downloader.currentDownloadCount == 2)
        waiting[1].cancel()
        #expect(await waiting[1].error?.isCancelled == true)
        downloader.isSuspended = false
        _ = try await waiting[0].response
        #expect(origin.requests.map(\.path) == ["/1"])
    }

    @Test("A54 DL-25 redirects are followed by the downloader's rules", arguments: Transport.allCases)
    func redirects(over transport: Transport) async throws {
        origin.serve("/a", .redirect(to: "/b"))
        origin.serve("/b", .redirect(to: "/c", status: 307))
        origin.serve("/c", OriginResponse(body: body))
        let response = try await load(by: transport.downloader()) { $0.headers["Authorization"] = "Bearer 1" }.response
        #expect(response.data == body)
        #expect(response.http?.url == origin.url("/c"))
        #expect(response.metrics?.redirectCount == 2)
        #expect(origin.requests.allSatisfy { $0.header("authorization") == "Bearer 1" })
        origin.serve("/c", .redirect(to: "/a"))
        #expect(await load(by: transport.downloader()).error?.code == .tooManyRedirects)
        origin.serve("/c", .redirect(to: "file:///etc/passwd"))
        #expect(await load(by: transport.downloader()).error?.code == .unsupportedScheme)
    }

    @Test("C4 neither Authorization nor a credential goes to another host", arguments: Transport.allCases)
    func otherHost(over transport: Transport) async throws {
        let elsewhere = origin.url("/b", host: "localhost").absoluteString
        origin.serve("/a", .redirect(to: elsewhere))
        origin.serve("/b") { request in
            request.header("authorization") == nil
                ? OriginResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")]) : .text("x")
        }
        let error = await load(by: transport.downloader()) {
            $0.credential = DownloadCredential(user: "ann", password: "secret")
            $0.headers["Authorization"] = "Bearer 1"
        }.error
        #expect(error?.statusCode == 401)
        #expect(origin.requests.map { $0.header("authorization") } == ["Bearer 1", nil])
    }

    @Test("DL-26 a credential answers a challenge", arguments: Transport.allCases)
    func credential(over transport: Transport) async throws {
        origin.serve("/a") { request in
            request.header("authorization") == nil
                ? OriginResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")]) : .text("x")
        }
        let credential = DownloadCredential(user: "ann", password: "secret")
        _ = try await load(by: transport.downloader()) { $0.credential = credential }.response
        #expect(origin.requests.map { $0.header("authorization") != nil } == [false, true])
    }

    @Test("DL-33 each kind of bad response has its error", arguments: Transport.allCases)
    func failures(over transport: Transport) async throws {
        origin.serve("/404", .text("sorry", status: 404))
        origin.serve("/304", .status(304))
        origin.serve("/empty", .status(200))
        origin.serve("/html", .text("<html>", contentType: "text/html"))
        origin.serve("/206", OriginResponse(status: 206, body: Data("ab".utf8)))
        origin.serve("/large", OriginResponse(body: body))
        origin.serve("/larger", OriginResponse(body: body).chunked(1000))
        origin.serve("/reset", OriginResponse(body: body.prefix(9000)).reset(afterBytes: 5000))
        origin.serve("/short", OriginResponse(body: body.prefix(9000)).closed(afterBytes: 5000))
        let downloader = transport.downloader {
            $0.acceptableContentTypes = ["image/png", "text/plain"]
            $0.maximumBodyByteCount = 10_000
        }
        let expected: [(String, WebImageError.Code)] = [
            ("/404", .invalidDownloadStatusCode), ("/304", .cacheNotModified), ("/empty", .badImageData),
            ("/html", .invalidDownloadContentType), ("/206", .invalidDownloadResponse), ("/large", .limitExceeded),
            ("/larger", .limitExceeded), ("/reset", .connectionLost), ("/short", .connectionLost),
        ]
        for (path, code) in expected {
            let load = load(path, by: downloader)
            #expect(await load.error?.code == code, "\(path)")
            #expect(load.hasEndedOnce)
        }
        origin.serve("/a", .text("x"))
        _ = try await load(by: downloader).response
        #expect(downloader.currentDownloadCount == 0)
    }

    @Test(
        "C6 a server that goes silent is given up, and one that drips or has no end, too", arguments: Transport.allCases
    )
    func limitsOfTime(over transport: Transport) async throws {
        origin.serve("/stall", OriginResponse(body: body).stalling(afterBytes: 1000))
        origin.serve("/drip", OriginResponse(body: body).limited(toBytesPerSecond: 500).inPieces(of: 10))
        let silent = await load("/stall", by: transport.downloader()) { $0.timeout = .seconds(0.2) }.error
        #expect(silent?.code == .timedOut && silent?.reason.contains("0.2 s") == true)
        let slow = transport.downloader {
            $0.downloadTimeout = .seconds(2)
            $0.minimumSpeed = .init(bytesPerSecond: 2000, window: .seconds(0.5))
        }
        #expect(await load("/drip", by: slow).error?.reason.contains("minimumSpeed") == true)
        let long = transport.downloader { $0.totalTimeout = .seconds(0.3) }
        #expect(await load("/drip", by: long).error?.reason.contains("totalTimeout") == true)
    }

    @Test("DL-16 DL-17 modifiers and decryptors stand around it", arguments: Transport.allCases)
    func modifiers(over transport: Transport) async throws {
        origin.serve("/a", .text("aGVsbG8=", status: 404))
        let downloader = transport.downloader()
        downloader.responseModifier = WebImageDownloaderResponseModifier(statusCode: 200, headers: ["X-Own": "1"])
        downloader.decryptor = .base64
        let response = try await load(by: downloader).response
        #expect(response.data == Data("hello".utf8))
        #expect(response.http?.statusCode == 200 && response.http?.header("x-own") == "1")
    }

    @Test("DL-28 the times of a transfer are reported", arguments: Transport.allCases)
    func metrics(over transport: Transport) async throws {
        origin.serve("/a", OriginResponse(body: body).delayed(by: .milliseconds(30)))
        let downloader = transport.downloader()
        let metrics = try #require(try await load(by: downloader).response.metrics)
        let firstByte = try #require(metrics.firstByte)
        #expect(firstByte >= .milliseconds(30) && firstByte <= metrics.total)
        #expect(metrics.queued != nil)
        #expect(metrics.redirectCount == 0)
    }

    @Test("A17 a downloader that goes ends its loads", arguments: Transport.allCases)
    func release(over transport: Transport) async throws {
        origin.serve("/a", OriginResponse(body: body).held(by: Gate()))
        var downloader: WebImageDownloader? = transport.downloader()
        let load = RecordedLoad(
            ImageLoadRequest(url: origin.url("/a")), by: try #require(downloader), keepsLoader: false)
        try await origin.waitForRequests(1)
        downloader = nil
        #expect(await load.error?.isCancelled == true)
        #expect(load.hasEndedOnce)
    }
}
