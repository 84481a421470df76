import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Download cookies", .timeLimit(.minutes(5)))
struct DownloadCookieTests {
    private let origin: LoopbackOrigin
    private let downloader = WebImageDownloader.direct()

    init() throws {
        origin = try LoopbackOrigin()
        origin.serve("/set", .text("picture").cookie("id", "1").cookie("theme", "dark"))
        origin.fallback = { _ in .text("picture") }
    }

    /// The cookies that a load of `path` sends.
    private func cookies(
        _ path: String, isUsing: Bool, host: String = "127.0.0.1", headers: [String: String] = [:]
    ) async throws -> [String: String] {
        var request = ImageLoadRequest(url: origin.url(path, host: host), headers: headers)
        request.usesCookies = isUsing
        _ = try await RecordedLoad(request, by: downloader).response
        return try #require(origin.requests.last).cookies
    }

    @Test("OPT-5 S0-8 cookies are kept for loads that use them, and sent by those only")
    func jar() async throws {
        #expect(try await cookies("/set", isUsing: true) == [:])
        #expect(try await cookies("/a", isUsing: true) == ["id": "1", "theme": "dark"])
        #expect(try await cookies("/a", isUsing: false) == [:])
        #expect(try await cookies("/a", isUsing: true).count == 2)
    }

    @Test("A55 C3 DL-14 by default cookies are neither kept nor sent, on the same connection either")
    func offByDefault() async throws {
        #expect(!ImageLoadRequest(url: origin.url()).usesCookies)
        _ = try await cookies("/set", isUsing: false)
        #expect(try await cookies("/a", isUsing: true) == [:])
        #expect(try await cookies("/a", isUsing: false) == [:])
        #expect(origin.connectionCount == 1)
    }

    @Test("C3 a cookie is kept for its host and its path, and goes when the server takes it back")
    func scope() async throws {
        origin.serve("/x/set", .text("picture").cookie("scoped", "1", attributes: "Path=/x"))
        origin.serve("/unset", .text("picture").cookie("scoped", "", attributes: "Path=/x; Max-Age=0"))
        _ = try await cookies("/x/set", isUsing: true)
        #expect(try await cookies("/x/a", isUsing: true) == ["scoped": "1"])
        #expect(try await cookies("/y/a", isUsing: true) == [:])
        #expect(try await cookies("/x/a", isUsing: true, host: "localhost") == [:])
        _ = try await cookies("/unset", isUsing: true)
        #expect(try await cookies("/x/a", isUsing: true) == [:])
    }

    @Test("C3 a cookie that a redirect sets is sent to where it leads, and no other host gets it")
    func redirects() async throws {
        origin.serve("/here", .redirect(to: "/there").cookie("id", "1"))
        origin.serve(
            "/away", .redirect(to: origin.url("/elsewhere", host: "localhost").absoluteString).cookie("id", "2"))
        #expect(try await cookies("/here", isUsing: true) == ["id": "1"])
        #expect(try await cookies("/away", isUsing: true) == [:])
        #expect(try await cookies("/here", isUsing: false) == [:])
    }

    @Test("C3 each downloader has a jar of its own, empty at first")
    func separateJars() async throws {
        var request = ImageLoadRequest(url: origin.url("/set"))
        request.usesCookies = true
        _ = try await RecordedLoad(request, by: downloader).response
        _ = try await RecordedLoad(request, by: WebImageDownloader.direct()).response
        #expect(try #require(origin.requests.last).cookies == [:])
    }

    @Test("cookies in a file are those of the next downloader, and of no load that does not use them")
    func file() async throws {
        let directory = try CacheDirectory()
        let file = directory.path + "/cookies"
        for (path, expected) in [("/set", [:]), ("/a", ["id": "1", "theme": "dark"])] {
            let downloader = WebImageDownloader.direct { $0.cookieFile = file }
            var request = ImageLoadRequest(url: origin.url("/plain"))
            _ = try await RecordedLoad(request, by: downloader).response
            request.url = origin.url(path)
            request.usesCookies = true
            _ = try await RecordedLoad(request, by: downloader).response
            #expect(origin.requests.suffix(2).map(\.cookies) == [[:], expected])
        }
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(text.contains("theme\tdark") && text.contains("id\t1"))
    }

    @Test("a file that cannot keep cookies fails the loads that use them, and no others")
    func unwritableFile() async throws {
        let downloader = WebImageDownloader.direct { $0.cookieFile = "/dev/null/cookies" }
        var request = ImageLoadRequest(url: origin.url("/a"))
        _ = try await RecordedLoad(request, by: downloader).response
        request.usesCookies = true
        let error = try #require(await RecordedLoad(request, by: downloader).error)
        #expect(error.code == .fileFailed && error.reason.contains("/dev/null/cookies"))
        #expect(origin.requests.count == 1)
    }

    @Test("a file of cookies is known by its first line that is no comment")
    func plausibleFiles() {
        let isPlausible = { (text: String) in SharedFileContents.cookies.isPlausible(text.utf8) }
        let cookie = "host\tFALSE\t/\tFALSE\t0\tid\t1\n"
        for text in ["", "\n", "# Netscape HTTP Cookie File\n", cookie, "# a\n\n" + cookie, "#HttpOnly_" + cookie] {
            #expect(isPlausible(text), "\(text)")
        }
        #expect(isPlausible("Set-Cookie: id=1\n"))
        for text in ["dear diary\n", "# Diary\nall was well\n", "a\tb\n", "\0", "\u{FFFD}PNG\r\n"] {
            #expect(!isPlausible(text), "\(text)")
        }
    }

    @Test("C3 a Cookie field that the app sets goes out alone, and nothing is kept")
    func ownField() async throws {
        _ = try await cookies("/set", isUsing: true)
        origin.serve("/reset", .text("picture").cookie("id", "2"))
        #expect(try await cookies("/reset", isUsing: true, headers: ["cookie": "own=1"]) == ["own": "1"])
        #expect(try await cookies("/a", isUsing: true)["id"] == "1")
    }

    @Test("S0-8 cookies come and go with hundreds of loads at one time")
    func manyLoads() async throws {
        origin.fallback = { request in .text("picture").cookie("id", String(request.path.dropFirst())) }
        let loads = (0..<300).map { number in
            var request = ImageLoadRequest(url: origin.url("/\(number)"))
            request.usesCookies = number % 2 == 0
            return RecordedLoad(request, by: downloader)
        }
        for load in loads { _ = try await load.response }
        for request in origin.requests
        where request.path.last.flatMap({ $0.wholeNumberValue }).map({ $0 % 2 == 1 }) == true {
            #expect(request.cookies == [:])
        }
        #expect(try await cookies("/a", isUsing: true).keys.contains("id"))
    }
}
