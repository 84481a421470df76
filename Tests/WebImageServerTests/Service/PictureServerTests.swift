import Foundation
import Testing
import WebImage
import WebImageCore
import WebImageTesting

@testable import WebImageServer
@testable import WebImageTestDoubles

/// One server, as its clients see it.
@Suite("Picture server", .timeLimit(.minutes(5)))
struct PictureServerTests {
    @Test("a picture comes in the size and format that the address says, is made once, and is kept")
    func size() async throws {
        let server = try TestServer()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(640, 480)))
        let first = try await server.answer("/rs:fit:320:320", "/a.jpg@webp")
        #expect(first.status == 200)
        #expect(first.headers["content-type"] == "image/webp")
        #expect(try ServerPicture.size(first) == PixelSize(width: 320, height: 240))
        #expect(first.headers["cache-status"] == "webimage; fwd=miss")
        let second = try await server.answer("/rs:fit:320:320", "/a.jpg@webp")
        #expect(second.headers["cache-status"] == "webimage; hit; detail=disk")
        #expect(second.body == first.body)
        _ = try await server.answer("/rs:fit:100:100", "/a.jpg@png")
        #expect(server.origin.requestCount("/a.jpg") == 1)
        #expect(try await server.metric("decodes_total") == 2)
        #expect(try await server.metric("source_fetches_total") == 2)
    }

    @Test("the address that is printed at the start works without any network, signed or not")
    func example() async throws {
        for keys in [[], ["943b421c9eb07c83"]] {
            let server = try TestServer {
                $0.keys = keys
                $0.salts = keys
            }
            let answer = try await server.answer(server.server.examplePath)
            #expect(answer.status == 200)
            #expect(try ServerPicture.size(answer) == PixelSize(width: 320, height: 240))
        }
    }

    @Test("with a key, only signed addresses are served, by any of the keys")
    func signatures() async throws {
        let server = try TestServer {
            $0.keys = ["00ff", "1234"]
            $0.salts = ["aa", "bb"]
        }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)))
        let path = "/w:4/plain/\(server.origin.url("/a.png").absoluteString)"
        for (key, salt) in [("00ff", "aa"), ("1234", "bb")] {
            let pair = try #require(AddressSignature.Pair(hexKey: key, hexSalt: salt))
            let signature = try #require(AddressSignature(pairs: [pair]).signature(of: path))
            #expect(try await server.answer("/\(signature)\(path)").status == 200)
            #expect(try await server.answer("/\(signature)\(path)x").status == 403)
        }
        #expect(try await server.answer("/unsafe\(path)").status == 403)
        // A proxy in front may have made one slash of two.
        let pair = try #require(AddressSignature.Pair(hexKey: "00ff", hexSalt: "aa"))
        let signature = try #require(AddressSignature(pairs: [pair]).signature(of: path))
        let merged = path.replacingOccurrences(of: "http://", with: "http:/")
        #expect(try await server.answer("/\(signature)\(merged)").status == 200)
        // Nothing is told of presets and options to those without a signature.
        #expect(try await server.answer("/unsafe/pr:none/plain/a").status == 403)
    }

    @Test("without keys it does not listen beyond this machine, unless it is told to")
    func unsigned() async throws {
        let error = #expect(throws: PictureServerError.self) {
            try TestServer { $0.listen = "0.0.0.0:0" }
        }
        #expect(error?.description.contains("--unsigned") == true)
        _ = try TestServer {
            $0.listen = "0.0.0.0:0"
            $0.allowsUnsigned = true
        }
    }

    @Test("the client's Accept chooses the format, and Vary says so")
    func negotiation() async throws {
        let server = try TestServer()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)))
        server.origin.serve(
            "/a.svg", .picture(Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>"#.utf8)))
        let usual = try await server.answer("/w:32", "/a.jpg", ["Accept": "*/*"])
        #expect(ServerPicture.format(usual) == .jpeg)
        #expect(usual.headers["vary"] == "Accept")
        let webP = try await server.answer("/w:32", "/a.jpg", ["Accept": "image/webp,image/*;q=0.8"])
        #expect(ServerPicture.format(webP) == .webP)
        let refused = try await server.answer("/w:32", "/a.jpg", ["Accept": "image/webp;q=0, */*"])
        #expect(ServerPicture.format(refused) == .jpeg)
        let named = try await server.answer("/w:32/f:png", "/a.jpg", ["Accept": "image/webp"])
        #expect(ServerPicture.format(named) == .png)
        #expect(named.headers["vary"] == nil)
    }

    @Test("a tag answers with 304, and HEAD without a body")
    func conditions() async throws {
        let server = try TestServer()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)))
        let answer = try await server.answer("/w:32", "/a.jpg")
        let tag = try #require(answer.headers["etag"])
        for field in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
            let again = try await server.answer("/w:32", "/a.jpg", ["If-None-Match": field])
            #expect(again.status == 304)
            #expect(again.headers["etag"] == tag && again.headers["cache-control"] != nil)
        }
        #expect(try await server.answer("/w:32", "/a.jpg", ["If-None-Match": "\"x\""]).status == 200)
        let head = try await server.answer("/w:32", "/a.jpg", method: "HEAD")
        #expect(head.status == 200 && head.headers["content-length"] == "\(answer.body.count)")
    }

    @Test(
        "clients keep a picture for as long as its source says",
        arguments: [
            ("max-age=100", "public, max-age="), ("private, max-age=100", "private, max-age="),
            ("no-store", "no-store"),
            ("no-cache", "no-cache"), ("max-age=0", "no-cache"), ("max-age=0, s-maxage=100", "public, max-age="),
            ("", "public, max-age="), ("max-age=abc", "no-cache"), ("max-age=-5", "no-cache"),
        ])
    func ages(field: String, expected: String) async throws {
        let server = try TestServer { $0.defaultAge = 90 }
        let picture = OriginResponse.picture(try ServerPicture.data(8, 8, as: .png))
        server.origin.serve("/a.png", field.isEmpty ? picture : picture.header("Cache-Control", field))
        let control = try #require(try await server.answer("/w:4", "/a.png").headers["cache-control"])
        #expect(control.hasPrefix(expected), "\(field): \(control)")
        if let age = control.firstRange(of: "max-age=").flatMap({ Int(control[$0.upperBound...]) }) {
            #expect(80...100 ~= age)
        }
        // A picture that may not be kept is made anew, one that has to be asked for is not while its source is the same.
        let again = try await server.answer("/w:4", "/a.png").headers["cache-status"]
        #expect(again?.contains("hit") == expected.hasPrefix("public"), "\(again ?? "")")
        #expect(again?.contains("revalidated") == (expected == "no-cache"))
        let isKept = expected == "no-cache" || expected.hasPrefix("public")
        #expect(try await server.metric("decodes_total") == (isKept ? 1 : 2))
    }

    @Test(
        "a lifetime that cannot be read is over, and what varies by all is asked for",
        arguments: [("Expires", "0"), ("Expires", "-1"), ("Pragma", "no-cache"), ("Vary", "*")])
    func unreadableAges(name: String, value: String) async throws {
        let server = try TestServer()
        server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).header(name, value))
        #expect(try await server.answer("/w:4", "/a.png").headers["cache-control"] == "no-cache")
    }

    @Test("a photograph that is not turned keeps its own sides", arguments: [("/w:40", 40, 60), ("/h:40", 27, 40)])
    func notTurned(options: String, width: Int, height: Int) async throws {
        let server = try TestServer()
        var picture = Data([0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x22]) + Data("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}".utf8)
        picture +=
            [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0] + (try ServerPicture.data(200, 300)).dropFirst(2)
        server.origin.serve("/a.jpg", .picture(picture))
        let turned = try await server.answer("/w:60/f:png", "/a.jpg")
        #expect(try ServerPicture.size(turned) == PixelSize(width: 60, height: 40))
        let stored = try await server.answer("/ar:0\(options)/f:png", "/a.jpg")
        #expect(try ServerPicture.size(stored) == PixelSize(width: width, height: height))
    }

    @Test("the age of the settings, and the end of an address, come first")
    func fixedAge() async throws {
        let server = try TestServer { $0.age = 5000 }
        server.origin.serve(
            "/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).header("Cache-Control", "no-store"))
        #expect(try await server.answer("/w:4", "/a.png").headers["cache-control"] == "public, max-age=5000")
        let soon = Int(Date().timeIntervalSince1970) + 2000
        let ending = try #require(try await server.answer("/w:4/exp:\(soon)", "/a.png").headers["cache-control"])
        let seconds = try #require(Int(ending.dropFirst("public, max-age=".count)))
        #expect(1500...2000 ~= seconds)
        #expect(try await server.answer("/w:4/exp:1000", "/a.png").status == 404)
        #expect(try await server.answer("/w:4/exp:0", "/a.png").status == 200)
    }

    @Test(
        "errors tell client, source and server apart",
        arguments: [
            ("/w:x", "/a.jpg", 400), ("/nothing:1", "/a.jpg", 400), ("/w:4", "/missing.jpg", 404),
            ("/w:4", "/broken.jpg", 422), ("/w:4", "/failing.jpg", 502), ("/w:4", "/gone.jpg", 404),
            ("/w:4", "/busy.jpg", 503), ("/w:4", "/a.jpg@bmpx", 400), ("/w:4", "/a.jpg@svg", 400),
            ("/rs:force:30000:30000/el:1", "/a.jpg", 422), ("/w:4", "/text.jpg", 422),
        ])
    func errors(options: String, path: String, status: Int) async throws {
        let server = try TestServer()
        let picture = try ServerPicture.data(64, 48)
        server.origin.serve("/a.jpg", .picture(picture))
        server.origin.serve("/broken.jpg", .picture(picture.prefix(40)))
        server.origin.serve("/failing.jpg", .status(500))
        server.origin.serve("/gone.jpg", .status(410))
        server.origin.serve("/busy.jpg", .status(503))
        server.origin.serve("/text.jpg", .text("no picture"))
        let answer = try await server.answer(options, path)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.text.count(where: \.isNewline) == 1)
    }

    @Test("other methods, addresses without a source, and the service's own pages")
    func pages() async throws {
        let server = try TestServer()
        let posted = try await server.answer("/unsafe/w:4/plain/http://a/b", method: "POST")
        #expect(posted.status == 405 && posted.headers["allow"] == "GET, HEAD, PURGE")
        #expect(try await server.answer("/").status == 404)
        #expect(try await server.answer("/favicon.ico").status == 404)
        #expect(try await server.answer("/health").text == "ok\n")
        #expect(try await server.answer("/metrics").text.contains("webimage_request_seconds_bucket{le=\"+Inf\"}"))
    }

    @Test("a picture comes in place of an error's text, but for the client's own faults")
    func fallback() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "fallback-\(UUID().uuidString).png")
        try ServerPicture.data(3, 3, as: .png).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try TestServer {
            $0.fallbackImage = file.path
            $0.fallbackAge = 7
            $0.fallbackStatus = 200
        }
        let answer = try await server.answer("/w:4", "/missing.jpg")
        #expect(answer.status == 200 && answer.headers["cache-control"] == "public, max-age=7")
        #expect(try ServerPicture.size(answer) == PixelSize(width: 3, height: 3))
        #expect(try await server.answer("/w:x", "/missing.jpg").status == 400)
        let error = #expect(throws: PictureServerError.self) { try TestServer { $0.fallbackImage = "/nowhere" } }
        #expect(error?.description.contains("/nowhere") == true)
    }

    @Test("an animation stays one where the format can, cut at one place")
    func animation() async throws {
        let frames = try (0..<3).map { number in
            ImageFrame(
                bitmap: try TestPicture.plain(PixelSize(width: 40, height: 20), [UInt8(number * 100), 0, 0, 255]),
                duration: .milliseconds(100))
        }
        let data = try ImageCodersManager.shared.encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
        let server = try TestServer()
        server.origin.serve("/a.gif", .picture(data))
        for (options, path, count) in [
            ("/rs:fill:10:10/g:sm", "/a.gif", 3), ("/w:20", "/a.gif@webp", 3), ("/w:20", "/a.gif@jpg", 1),
        ] {
            let answer = try await server.answer(options, path)
            #expect(try Image(data: answer.body).metadata.frameCount == count, "\(options)")
        }
        let accepted = try await server.answer("/w:20", "/a.gif", ["Accept": "image/avif,image/webp"])
        #expect(ServerPicture.format(accepted) == .webP)
    }

    @Test("raw sends the source's own bytes, and skipped formats stay as they are")
    func untouched() async throws {
        let data = try ServerPicture.data(64, 48)
        let server = try TestServer()
        server.origin.serve("/a.jpg", .picture(data))
        #expect(try await server.answer("/raw:1", "/a.jpg").body == data)
        #expect(try await server.answer("/raw:1", "/a.jpg@best").body == data)
        #expect(try await server.answer("/w:4/skp:jpg", "/a.jpg").body == data)
        #expect(try await server.answer("/w:4/skp:jpg", "/a.jpg@png").body != data)
    }

    @Test("a name for saving, in any script")
    func fileName() async throws {
        let server = try TestServer()
        server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)))
        let answer = try await server.answer("/w:4/fn:%C3%A4%22b/att:1", "/a.png")
        #expect(
            answer.headers["content-disposition"]
                == "attachment; filename=\"__b.png\"; filename*=UTF-8''%C3%A4%22b.png")
        // The source's own name otherwise.
        let usual = try await server.answer("/w:4", "/a.png@jpg").headers["content-disposition"]
        #expect(usual == "inline; filename=\"a.jpg\"; filename*=UTF-8''a.jpg")
    }

    @Test("client hints count where the address says nothing")
    func clientHints() async throws {
        let server = try TestServer { $0.usesClientHints = true }
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(640, 480)))
        let hints = ["Sec-CH-Width": "200", "Sec-CH-DPR": "2"]
        let answer = try await server.answer("/q:80", "/a.jpg", hints)
        #expect(try ServerPicture.size(answer).width == 200)
        #expect(answer.headers["vary"] == "Accept, Sec-CH-DPR, Sec-CH-Width")
        #expect(try ServerPicture.size(try await server.answer("/w:50", "/a.jpg", hints)).width == 100)
        #expect(try ServerPicture.size(try await server.answer("/w:50/dpr:1", "/a.jpg", hints)).width == 50)
    }

    @Test("a hundred clients of one new picture cause one fetch and one decode")
    func shared() async throws {
        let server = try TestServer()
        let gate = Gate()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(640, 480)).held(by: gate))
        let bodies = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await server.answer("/w:100", "/a.jpg").body } }
            try await server.origin.waitForRequests(1)
            gate.open()
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(server.origin.requestCount("/a.jpg") == 1)
        #expect(try await server.metric("decodes_total") == 1)
    }

    @Test("where too many wait, the next is refused at once, and later served")
    func overload() async throws {
        let server = try TestServer { $0.queue = 2 }
        let gate = Gate()
        for number in 0..<3 {
            server.origin.serve("/\(number).jpg", .picture(try ServerPicture.data(64, 48)).held(by: gate))
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<2 { group.addTask { try await server.answer("/w:4", "/\(number).jpg").status } }
            try await server.origin.waitForRequests(2)
            let refused = try await server.answer("/w:4", "/2.jpg")
            #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await server.answer("/w:4", "/2.jpg").status == 200)
    }

    @Test("one client has a limit of its own, by the address that a trusted proxy tells")
    func clientLimit() async throws {
        let server = try TestServer {
            $0.clientLimit = 1
            $0.trustedProxies = ["127.0.0.1"]
        }
        let gate = Gate()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)).held(by: gate))
        server.origin.serve("/b.jpg", .picture(try ServerPicture.data(64, 48)))
        async let first = server.answer("/w:4", "/a.jpg", ["X-Forwarded-For": "1.2.3.4"])
        try await server.origin.waitForRequests(1)
        #expect(try await server.answer("/w:4", "/b.jpg", ["X-Forwarded-For": "6.6.6.6, 1.2.3.4"]).status == 429)
        #expect(try await server.answer("/w:4", "/b.jpg", ["X-Forwarded-For": "1.2.3.4:999"]).status == 429)
        #expect(try await server.answer("/w:4", "/b.jpg", ["X-Forwarded-For": "1.2.3.5"]).status == 200)
        gate.open()
        #expect(try await first.status == 200)
        #expect(try await server.answer("/w:4", "/b.jpg", ["X-Forwarded-For": "1.2.3.4"]).status == 200)
    }

    @Test("a purged source is fetched and made anew, in all sizes; strangers may not purge")
    func purge() async throws {
        let server = try TestServer { $0.trustedProxies = ["127.0.0.1"] }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)))
        for width in [2, 4] { _ = try await server.answer("/w:\(width)", "/a.png") }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(16, 8, as: .png)))
        #expect(try ServerPicture.size(try await server.answer("/w:4", "/a.png")) == PixelSize(width: 4, height: 4))
        for hops in ["8.8.8.8", "8.8.8.8, 127.0.0.1", "127.0.0.1, 8.8.8.8"] {
            let stranger = try await server.answer("", "/a.png", method: "PURGE", ["X-Forwarded-For": hops])
            #expect(stranger.status == 403, "\(hops)")
        }
        #expect(try await server.answer("", "/a.png", method: "PURGE").text == "purged\n")
        for width in [2, 4] {
            let answer = try await server.answer("/w:\(width)", "/a.png")
            #expect(try ServerPicture.size(answer) == PixelSize(width: width, height: width / 2))
        }
    }

    @Test("a purge counts for what is being made: requests after it get the new picture, and the old one is not kept")
    func purgeMeanwhile() async throws {
        let server = try TestServer()
        let gate = Gate()
        server.origin.serve("/a.png", .picture(try ServerPicture.data(8, 8, as: .png)).held(by: gate))
        async let old = server.answer("/w:4", "/a.png")
        try await server.origin.waitForRequests(1)
        #expect(try await server.answer("", "/a.png", method: "PURGE").status == 200)
        server.origin.serve("/a.png", .picture(try ServerPicture.data(16, 8, as: .png)))
        gate.open()
        #expect(try ServerPicture.size(try await old) == PixelSize(width: 4, height: 4))
        #expect(try ServerPicture.size(try await server.answer("/w:4", "/a.png")) == PixelSize(width: 4, height: 2))
    }

    @Test(
        "no option makes more pixels than the service allows, on the way or in all pictures together",
        arguments: [
            "/rs:force:300:300:1", "/t:0/rs:force:300:300:1", "/rs:fill:500:1:1", "/w:50/h:50/el:1/pd:200",
            "/rs:force:150:150:1/z:3",
        ])
    func pixelLimits(options: String) async throws {
        let server = try TestServer { $0.maximumResultPixels = 50_000 }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(64, 64, as: .png)))
        #expect(try await server.answer(options, "/a.png").status == 422)
        #expect(try await server.answer("/w:60", "/a.png").status == 200)
    }

    @Test("stopping lets running answers finish, and health turns before")
    func stopping() async throws {
        let server = try TestServer()
        let gate = Gate()
        server.origin.serve("/a.jpg", .picture(try ServerPicture.data(64, 48)).held(by: gate))
        let kept = try HTTPClient(port: server.port)
        async let running = server.answer("/w:4", "/a.jpg")
        try await server.origin.waitForRequests(1)
        async let stopped: Void = server.server.stop()
        // A connection that is there still sees the health; no new one is taken.
        while (try? HTTPClient(port: server.port)) != nil { await Task.yield() }
        kept.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(kept.receive()?.status == 503)
        gate.open()
        #expect(try await running.status == 200)
        await stopped
    }

    @Test("reloading changes keys and presets for the next requests")
    func reload() async throws {
        let server = try TestServer { $0.presets = ["small=w:4"] }
        server.origin.serve("/a.png", .picture(try ServerPicture.data(16, 16, as: .png)))
        #expect(try ServerPicture.size(try await server.answer("/pr:small", "/a.png")).width == 4)
        var settings = PictureServerSettings()
        settings.presets = ["small=w:8"]
        settings.allowsPrivate = true
        try server.server.reload(settings)
        #expect(try ServerPicture.size(try await server.answer("/pr:small", "/a.png")).width == 8)
        // A file that is being written, and has lost its keys, opens nothing.
        let keyed = try TestServer {
            $0.keys = ["00"]
            $0.salts = ["00"]
        }
        #expect(throws: PictureServerError.self) { try keyed.server.reload(PictureServerSettings()) }
        let unsigned = try await keyed.answer("/unsafe/plain/example:///picture.png")
        #expect(unsigned.status == 403)
        settings.presets = ["small=nothing:8"]
        #expect(throws: PictureServerError.self) { try server.server.reload(settings) }
        #expect(try ServerPicture.size(try await server.answer("/pr:small", "/a.png")).width == 8)
    }
}
