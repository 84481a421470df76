import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Conditional downloads", .timeLimit(.minutes(5)))
struct ConditionalDownloadTests {
    private let origin: LoopbackOrigin
    private let downloader = WebImageDownloader.direct()
    private let modified = "Fri, 15 Jan 2027 08:00:00 GMT"

    init() throws { origin = try LoopbackOrigin() }

    private func load(_ validators: [String: String], path: String = "/a") -> RecordedLoad {
        var request = ImageLoadRequest(url: origin.url(path))
        request.validators = validators
        return RecordedLoad(request, by: downloader)
    }

    @Test("OPT-3 S0-6 C2 a picture that has not changed ends with 304, and its fields bring the stored ones up to date")
    func notModified() async throws {
        let answer = OriginResponse.text("picture").validated(etag: "W/\"1\"", lastModified: modified)
        origin.serve("/a", answer.header("Cache-Control", "max-age=1"), answer.header("Cache-Control", "max-age=60"))
        let first = try #require(try await load([:]).response.http)
        let rules = HTTPCacheRules(headers: first.headers, storedAt: Date(timeIntervalSinceNow: -10))
        #expect(!rules.isFresh(at: Date()))
        let second = load(rules.validators)
        let error = try #require(await second.error)
        #expect(error.code == .cacheNotModified)
        #expect(error.statusCode == 304)
        #expect(second.hasEndedOnce)
        #expect(!second.events.contains { if case .data = $0 { true } else { false } })
        let response = try #require(error.response)
        #expect(response.statusCode == 304)
        let fresh = HTTPCacheRules(headers: rules.headers(updatedBy: response.headers), storedAt: Date())
        #expect(fresh.isFresh(at: Date()))
        #expect(fresh.validators == ["If-None-Match": "W/\"1\"", "If-Modified-Since": modified])
        #expect(origin.requests.last?.header("if-none-match") == "W/\"1\"")
        #expect(origin.requests.last?.header("if-modified-since") == modified)
    }

    @Test("OPT-3 S0-6 a changed picture arrives whole")
    func changed() async throws {
        origin.serve("/a", OriginResponse.text("new").validated(etag: "\"2\""))
        let response = try await load(["If-None-Match": "\"1\""]).response
        #expect(response.data == Data("new".utf8))
        #expect(response.http?.header("etag") == "\"2\"")
    }

    @Test("C2 revalidation works by date alone, too")
    func date() async throws {
        origin.serve("/a", OriginResponse.text("picture").validated(lastModified: modified))
        #expect(await load(["If-Modified-Since": modified]).error?.code == .cacheNotModified)
        _ = try await load(["If-Modified-Since": "Fri, 15 Jan 2027 07:00:00 GMT"]).response
    }

    @Test("A44 A45 304 is no failure of the URL, any number of times, with and without validators of ours")
    func repeatable() async throws {
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\""))
        origin.serve("/always", .status(304))
        for _ in 0..<3 {
            let error = try #require(await load(["If-None-Match": "\"1\""]).error)
            #expect(error.code == .cacheNotModified)
            #expect(!downloader.shouldBlockFailedURL(origin.url("/a"), error: error))
        }
        #expect(await load([:], path: "/always").error?.code == .cacheNotModified)
    }

    @Test("A46 loads that refresh the same picture at one time share one request and its 304")
    func shared() async throws {
        let gate = Gate()
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\"").held(by: gate))
        let loads = (0..<10).map { _ in load(["If-None-Match": "\"1\""]) }
        let plain = load([:])
        try await downloader.settle()
        gate.open()
        for load in loads { #expect(await load.error?.code == .cacheNotModified) }
        #expect(try await plain.response.data == Data("picture".utf8))
        #expect(loads.allHaveEndedOnce)
        #expect(origin.requests.count == 2)
    }

    @Test("B1 a status of 200 to 299 is accepted by default, and 304 stays 304 even where it is accepted")
    func statusCodes() async throws {
        origin.serve("/a", .status(304))
        downloader.config.acceptableStatusCodes = nil
        #expect(await load([:]).error?.code == .cacheNotModified)
        downloader.config.acceptableStatusCodes = Set(200..<400)
        #expect(await load([:]).error?.code == .cacheNotModified)
        #expect(WebImageDownloaderConfig().acceptableStatusCodes == Set(200..<300))
    }

    @Test("DL-24 the downloader keeps no body: each load asks the server, however long its answers may be kept")
    func noCache() async throws {
        origin.serve("/a", .text("one").header("Cache-Control", "max-age=3600"), .text("two"))
        #expect(try await load([:]).response.data == Data("one".utf8))
        #expect(try await load([:]).response.data == Data("two".utf8))
    }

    @Test("C5 DL-25 validators follow redirects, and the response names the place that answered")
    func redirect() async throws {
        origin.serve("/a", .redirect(to: "/b"))
        origin.serve("/b", OriginResponse.text("picture").validated(etag: "\"1\""))
        let error = try #require(await load(["If-None-Match": "\"1\""]).error)
        #expect(error.code == .cacheNotModified)
        #expect(error.url == origin.url("/a"))
        #expect(error.response?.url == origin.url("/b"))
    }

    @Test("a header field of the load goes before a validator of the same name")
    func ownField() async throws {
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\""))
        var request = ImageLoadRequest(url: origin.url("/a"), headers: ["if-none-match": "\"0\""])
        request.validators = ["If-None-Match": "\"1\""]
        _ = try await RecordedLoad(request, by: downloader).response
        #expect(origin.requests.last?.header("if-none-match") == "\"0\"")
    }

    @Test("a request modifier sees the validators and can remove them")
    func modifier() async throws {
        origin.serve("/a", OriginResponse.text("picture").validated(etag: "\"1\""))
        downloader.requestModifier = WebImageDownloaderRequestModifier { request in
            var request = request
            request.validators = [:]
            return request
        }
        _ = try await load(["If-None-Match": "\"1\""]).response
    }

    @Test("a validator that would forge a field is refused")
    func forged() async throws {
        let error = try #require(await load(["If-None-Match": "\"1\"\r\nX-Forged: 1"]).error)
        #expect(error.code == .invalidDownloadOperation)
        #expect(origin.requests.isEmpty)
    }
}
