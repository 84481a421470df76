import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles
@testable import webimage

@Suite("Command line: load", .timeLimit(.minutes(5)))
struct LoadCommandTests {
    private let origin: LoopbackOrigin
    private let program: Program
    private let photo: Data

    init() throws {
        origin = try LoopbackOrigin()
        program = try Program()
        photo = try Fixtures.data("photo.jpg")
        origin.serve("/a.jpg", .picture(photo))
    }

    private func address(_ path: String) -> String { origin.url(path).absoluteString }

    @Test("loading twice: the second says disk, and the origin saw one request")
    func twice() async throws {
        let first = try await program.run("load", address("/a.jpg"), "-o", "a.png")
        let second = try await program.run("load", address("/a.jpg"), "-o", "b.png")
        #expect(first.status == 0 && second.status == 0)
        #expect(first.text.hasPrefix("network ") && first.text.contains(" → a.png"))
        #expect(second.text.hasPrefix("disk "))
        #expect(origin.requestCount("/a.jpg") == 1)
        let png = try Data(contentsOf: program.file("a.png"))
        #expect(ImageFormat(sniffing: png) == .png)
        #expect(try Data(contentsOf: program.file("b.png")) == png)
        #expect(program.files == ["a.png", "b.png"])
        #expect(first.errors.isEmpty && second.errors.isEmpty)
    }

    @Test("DL-24 with --http-cache the server decides, and --json says whether it was asked", arguments: [true, false])
    func httpCache(isFresh: Bool) async throws {
        let answer = OriginResponse.picture(photo).header("ETag", "\"1\"").header(
            "Cache-Control", "max-age=\(isFresh ? 60 : 0)")
        origin.serve("/a.jpg", answer, OriginResponse.status(304).header("ETag", "\"1\""))
        let arguments = ["load", address("/a.jpg"), "--http-cache", "--json"]
        let first = try await program.run(arguments)
        let second = try await program.run(arguments)
        let objects = try first.objects() + second.objects()
        #expect(objects.map { $0["source"] as? String } == ["network", "disk"])
        #expect(objects.map { $0["validated"] as? Bool } == [false, !isFresh])
        #expect(origin.requestCount("/a.jpg") == (isFresh ? 1 : 2))
        #expect(origin.requests.last?.header("if-none-match") == (isFresh ? nil : "\"1\""))
        for option in ["--http-cache", "--resume"] {
            let refused = try await program.run("load", address("/a.jpg"), option, "--no-cache")
            #expect(refused.status == 2 && refused.errors.contains(option), "\(refused.errors)")
        }
    }

    @Test(
        "DL-24 --json says that a stale picture was shown first, and whether the server had another one",
        arguments: ["the same", "another", "an error"])
    func staleFirst(answer: String) async throws {
        let first = OriginResponse.picture(photo).header("ETag", "\"1\"").header(
            "Cache-Control", "max-age=0, stale-while-revalidate=600")
        let second =
            switch answer {
            case "the same": OriginResponse.status(304)
            case "another": OriginResponse.picture(try Fixtures.data("gray.jpg"))
            default: OriginResponse.status(503)
            }
        origin.serve("/a.jpg", first, second)
        let arguments = ["load", address("/a.jpg"), "--http-cache", "--json"]
        let objects = try await program.run(arguments).objects() + program.run(arguments).objects()
        #expect(objects.map { $0["stale"] as? Bool } == [false, true])
        #expect(objects[0]["changed"] == nil)
        #expect(objects[1]["changed"] as? Bool == (answer == "an error" ? nil : answer == "another"))
        #expect(objects[1]["source"] as? String == (answer == "another" ? "network" : "disk"))
        // The times are told in any case; after a failure they are those of no answer.
        #expect((objects[1]["transfer"] == nil) == (answer == "an error"))
    }

    @Test("a host's name may have letters of any language")
    func internationalHost() async throws {
        let url = "http://b\u{FC}cher.localhost:\(origin.port)/a.jpg"
        let run = try await program.run("load", url, "-o", "a.jpg")
        #expect(run.status == 0, "\(run.errors)")
        let host = try #require(origin.requests.first?.header("host"))
        #expect(host == "xn--bcher-kva.localhost:\(origin.port)")
    }

    @Test("an untouched original is written byte for byte", arguments: ["a.jpg", "a.jpeg", "avatar", "b.bin"])
    func original(name: String) async throws {
        _ = try await program.run("load", address("/a.jpg"), "-o", name)
        #expect(try Data(contentsOf: program.file(name)) == photo)
    }

    @Test("a thumbnail fits its box, and is the same from the network and from the disk")
    func thumbnail() async throws {
        for name in ["1.png", "2.png"] {
            let run = try await program.run("load", address("/a.jpg"), "-o", name, "--thumbnail", "50x40")
            #expect(run.status == 0, "\(run.errors)")
        }
        let first = try Data(contentsOf: program.file("1.png"))
        let size = try ImageCodersManager.shared.properties(of: first, isComplete: true)?.pixelSize
        #expect(size == PixelSize(width: 50, height: 38) || size == PixelSize(width: 50, height: 37))
        #expect(try Data(contentsOf: program.file("2.png")) == first)
        #expect(origin.requestCount("/a.jpg") == 1)
    }

    @Test("formats come from --format, else from the extension; lower quality makes smaller files")
    func formats() async throws {
        let runs = [
            (["-o", "x", "--format", "png"], "x", ImageFormat.png), (["-o", "x.webp"], "x.webp", .webP),
            (["-o", "x.png", "--format", "jpeg", "--quality", "90"], "x.png", .jpeg),
            (["-o", "low.jpg", "--quality", "10"], "low.jpg", .jpeg),
        ]
        for (options, name, format) in runs {
            #expect(try await program.run(["load", address("/a.jpg")] + options).status == 0)
            #expect(try ImageFormat(sniffing: Data(contentsOf: program.file(name))) == format, "\(name)")
        }
        let low = try Data(contentsOf: program.file("low.jpg")).count
        #expect(try low < Data(contentsOf: program.file("x.png")).count)
    }

    @Test("--raw writes the stored pixels: neither turned nor converted, straight alpha")
    func raw() async throws {
        for name in ["orientation-6.jpg", "display-p3.jpg", "translucent.png"] {
            let data = try Fixtures.data(name)
            origin.serve("/\(name)", .picture(data))
            #expect(try await program.run("load", address("/\(name)"), "--raw", "-o", "x.pam").status == 0)
            let image = try ImageCodersManager.shared.decode(data, options: .storedPixels)
            let header = "P7\nWIDTH \(image.pixelSize.width)\nHEIGHT \(image.pixelSize.height)\nDEPTH 4\nMAXVAL 255\n"
            let pixels = image.bitmap.withUnsafeBytes { Data($0) }
            let expected = Data("\(header)TUPLTYPE RGB_ALPHA\nENDHDR\n".utf8) + pixels
            #expect(try Data(contentsOf: program.file("x.pam")) == expected, "\(name)")
        }
    }

    @Test("into a directory, which is created: names come from the URLs, safe and no two alike")
    func directory() async throws {
        origin.serve("/x/a.jpg", .picture(photo))
        origin.serve("/..%2F..%2F.evil%01%0A.jpg", .picture(photo))
        origin.serve("/misnamed.jpg", .picture(try Fixtures.data("palette.png")))
        origin.serve("/picture", .picture(photo))
        origin.serve("/", .picture(photo))
        let paths = ["/a.jpg", "/x/a.jpg", "/..%2F..%2F.evil%01%0A.jpg", "/misnamed.jpg", "/picture?id=7", "/"]
        let run = try await program.run(["load"] + paths.map(address) + ["-o", "out/deep/"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count == paths.count)
        let expected = [
            "_.._.evil.jpg", "a-2.jpg", "a.jpg", "image.jpg", "misnamed.png", "picture.jpg",
        ]
        #expect(program.files == ["out", "out/deep"] + expected.map { "out/deep/\($0)" })
    }

    @Test("the same URL given twice is loaded once; the second is from memory, and both are written")
    func duplicates() async throws {
        for option in ["--json", "--no-cache", "--refresh"] {
            let before = origin.requestCount("/a.jpg")
            let url = address("/a.jpg")
            let run = try await program.run("load", url, url, "-o", "out/", "--json", option)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try run.objects().map { $0["source"] as? String } == ["network", "memory"])
            #expect(origin.requestCount("/a.jpg") == before + 1)
            #expect(try Data(contentsOf: program.file("out/a.jpg")) == photo)
            #expect(try Data(contentsOf: program.file("out/a-2.jpg")) == photo)
            _ = try await program.run("cache", "clear")
        }
    }

    @Test("--no-cache neither reads nor writes the cache, --refresh loads again and stores")
    func cacheOptions() async throws {
        let url = address("/a.jpg")
        _ = try await program.run("load", url, "--no-cache")
        #expect(!FileManager.default.fileExists(atPath: program.cache.path))
        _ = try await program.run("load", url)
        #expect(try await program.run("load", url, "--no-cache").text.hasPrefix("network"))
        #expect(origin.requestCount("/a.jpg") == 3)
        origin.serve("/a.jpg", .picture(try Fixtures.data("gray.jpg")))
        #expect(try await program.run("load", url, "--refresh").text.hasPrefix("network"))
        #expect(try await program.run("load", url, "-o", "new.jpg").text.hasPrefix("disk"))
        #expect(try Data(contentsOf: program.file("new.jpg")) == Fixtures.data("gray.jpg"))
        #expect(origin.requestCount("/a.jpg") == 4)
    }

    @Test("--json prints one object per picture, failures too")
    func json() async throws {
        let run = try await program.run("load", address("/a.jpg"), address("/none"), "-o", "out/", "--json")
        #expect(run.status == 1)
        let objects = try run.objects().sorted { ($0["url"] as? String ?? "") < ($1["url"] as? String ?? "") }
        try #require(objects.count == 2)
        let picture = objects[0]
        let photoSize = try #require(try ImageCodersManager.shared.properties(of: photo, isComplete: true)).pixelSize
        #expect(picture["url"] as? String == address("/a.jpg"))
        #expect(picture["source"] as? String == "network")
        #expect(picture["bytes"] as? Int == photo.count)
        #expect(picture["width"] as? Int == photoSize.width && picture["height"] as? Int == photoSize.height)
        #expect(picture["format"] as? String == "JPEG")
        #expect(picture["output"] as? String == "out/a.jpg")
        #expect(picture["milliseconds"] as? Double ?? 0 > 0)
        #expect(picture["error"] == nil)
        let error = try #require(objects[1]["error"] as? [String: Any])
        #expect(error["code"] as? Int == 2001 && error["status"] as? Int == 404)
        #expect(error["stage"] as? String == "load" && error["kind"] as? String == "permanent")
        #expect(error["message"] as? String != nil && objects[1]["source"] == nil)
        for object in objects {
            let transfer = try #require(object["transfer"] as? [String: Any])
            #expect(transfer["address"] as? String == "127.0.0.1" && transfer["firstByte"] as? Double ?? 0 > 0)
        }
        #expect(run.errorLines.count == 1 && run.errors.contains("404"))
    }

    @Test("files, file: and data: URLs load by the same command")
    func local() async throws {
        try photo.write(to: program.file("my photo.jpg"))
        let png = try Fixtures.data("palette.png")
        let data = "data:image/png;base64,\(png.base64EncodedString())"
        let file = "file://\(program.file("").path)/my%20photo.jpg"
        let run = try await program.run("load", "my photo.jpg", file, data, "-o", "out/", "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Set(run.objects().compactMap { $0["source"] as? String }) == ["file", "memory", "data"])
        #expect(program.files.contains("out/image.png"))
        #expect(try Data(contentsOf: program.file("out/my photo.jpg")) == photo)
    }

    @Test("-o - writes the picture to standard output and nothing else, with the report beside it")
    func standardOutput() async throws {
        let run = try await program.run("load", address("/a.jpg"), "-o", "-")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == photo)
        #expect(run.errors.hasPrefix("network") && run.errorLines.count == 1)
        #expect(try await program.run("load", address("/a.jpg"), "-o", "-", "-q").errors.isEmpty)
    }

    @Test("-q prints errors only")
    func quiet() async throws {
        let run = try await program.run("load", "-q", address("/a.jpg"), address("/none"))
        #expect(run.status == 1 && run.output.isEmpty && run.errorLines.count == 1)
    }

    @Test("never more loads at a time than --concurrency")
    func concurrency() async throws {
        let gate = Gate()
        for number in 0..<5 { origin.serve("/\(number).jpg", OriginResponse.picture(photo).held(by: gate)) }
        let urls = (0..<5).map { address("/\($0).jpg") }
        let run = try await program.run(["load", "--timeout", "120", "--concurrency", "2"] + urls) { [origin] _ in
            try await origin.waitForRequests(2)
            #expect(origin.requests.count == 2)
            gate.open()
        }
        #expect(run.status == 0 && run.lines.count == 5)
    }

    @Test("on a terminal a bar shows the progress of a load, follows the window's width, and is gone at the end")
    func progress() async throws {
        let (half, terminal, gate) = (photo.count / 2, try Terminal(), Gate())
        origin.serve("/slow.jpg", OriginResponse.picture(photo).held(by: gate, afterBytes: half))
        let url = address("/slow.jpg")
        let run = try await program.run(["load", "--timeout", "120", url, "-o", "x.jpg"], errors: terminal.program) {
            _ in
            let wide = await terminal.read(until: Quantity.bytes(half))
            #expect(wide.contains("slow.jpg "))
            #expect(wide.contains("[====") && wide.contains("%"))
            terminal.resize(columns: 30)
            // Too narrow for a bar: the percentage and the bytes remain.
            let narrow = await terminal.read(until: "slow.jpg    ")
            #expect(narrow.contains("\u{1B}[") && narrow.contains("\r\u{1B}[J"))
            gate.open()
            try terminal.program.close()
            // Read to the end: a program blocks on a full terminal.
            #expect(await terminal.read(until: "never").hasSuffix("\u{1B}[J"))
        }
        #expect(run.status == 0 && run.text.hasPrefix("network "))
        #expect(!run.text.contains("\u{1B}"))
    }

    @Test(
        "Control-C cancels the loads, leaves nothing behind and exits with 130",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        origin.serve("/slow.jpg", OriginResponse.picture(photo).stalling(afterBytes: 100))
        let run = try await program.run(["load", "--timeout", "120", address("/slow.jpg"), "-o", "out/"]) {
            [origin] process in
            try await origin.waitForRequests(1)
            kill(process, signal)
        }
        #expect(run.status == 128 + signal)
        #expect(run.output.isEmpty && run.errors.isEmpty)
        #expect(program.files == ["out"])
    }

    @Test("a second signal ends even a program whose terminal has been stopped")
    func interruptedTwice() async throws {
        let terminal = try Terminal()
        origin.serve("/slow.jpg", OriginResponse.picture(photo).stalling(afterBytes: 100))
        let url = address("/slow.jpg")
        let run = try await program.run(["load", "--timeout", "120", url, "-o", "x.jpg"], errors: terminal.program) {
            process in
            _ = await terminal.read(until: "slow.jpg ")
            terminal.stop()
            for signal in [SIGINT, SIGTERM] { kill(process, signal) }
        }
        #expect([130, 143].contains(run.status))
        #expect(program.files.isEmpty)
    }
}
