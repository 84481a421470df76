import Foundation
import Testing
import WebImage
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: info and cache", .timeLimit(.minutes(5)))
struct InfoCommandTests {
    private let origin: LoopbackOrigin
    private let program: Program

    init() throws {
        origin = try LoopbackOrigin()
        program = try Program()
    }

    @Test("S3-12 MET-4 info prints for every format the findings of its coder in the whole file")
    func formats() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("")).filter {
            ["jpg", "png", "gif", "webp"].contains($0.split(separator: ".").last ?? "")
        }
        try #require(Set(names.map { $0.suffix(3) }) == ["jpg", "png", "gif", "ebp"])
        let run = try await program.run(["info", "--json"] + names.map { Fixtures.path($0) })
        #expect(run.status == 0, "\(run.errors)")
        let objects = try run.objects()
        try #require(objects.count == names.count)
        for (name, object) in zip(names, objects) {
            let data = try Fixtures.data(name)
            let expected = try #require(try ImageCodersManager.shared.properties(of: data, isComplete: true))
            #expect(object["url"] as? String == URL(filePath: Fixtures.path(name)).absoluteString)
            #expect(object["format"] as? String == expected.format.description)
            #expect(object["width"] as? Int == expected.pixelSize.width, "\(name)")
            #expect(object["height"] as? Int == expected.pixelSize.height, "\(name)")
            #expect(object["orientation"] as? Int == expected.orientation.rawValue, "\(name)")
            #expect(object["frames"] as? Int == expected.frameCount, "\(name)")
            #expect(
                object["frameDurations"] as? [Int] ?? [] == expected.frameDurations.map(\.wholeMilliseconds), "\(name)")
            #expect(object["hasAlpha"] as? Bool == expected.hasAlpha, "\(name)")
            #expect(object["bitsPerChannel"] as? Int == expected.bitsPerChannel, "\(name)")
            #expect(object["iccProfile"] as? String == expected.iccProfileName, "\(name)")
            #expect(object["bytes"] as? Int == data.count, "\(name)")
        }
    }

    @Test("info in words: an animation has its loops and frame durations")
    func words() async throws {
        let run = try await program.run("info", Fixtures.path("animated.gif"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.first == Fixtures.path("animated.gif"))
        for word in ["format", "pixel size", "frames", "loop count", "frame durations", "alpha", "bytes"] {
            #expect(run.lines.contains { $0.hasPrefix("  \(word) ") }, "\(word)")
        }
    }

    @Test("info in words: of many different durations the shortest, the longest and their sum")
    func manyDurations() async throws {
        let frames = try (0..<40).map { number in
            let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [UInt8(number), 0, 0, 255])
            return ImageFrame(bitmap: bitmap, duration: .milliseconds(number == 7 ? 500 : 100))
        }
        let file = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
        try file.write(to: program.file("a.gif"))
        let run = try await program.run("info", "a.gif")
        #expect(run.text.contains("100 to 500 ms, 4400 ms in all"), "\(run.text)")
    }

    @Test("a camera's RAW file is distinguished from a TIFF by its name, and info says which part it reads")
    func cameraFiles() async throws {
        let tiff = try await program.run("convert", Fixtures.path("photo.jpg"), "a.tiff")
        #expect(tiff.status == 0, "\(tiff.errors)")
        try FileManager.default.copyItem(at: program.file("a.tiff"), to: program.file("a.NEF"))
        #expect(try await program.run("info", "--json", "a.NEF").objects().first?["format"] as? String == "RAW")
        #expect(try await program.run("info", "--json", "a.tiff").objects().first?["format"] as? String == "TIFF")
        let run = try await program.run("convert", "a.NEF", "a.png")
        #expect(run.status == 0 && run.errorLines.count == 1 && run.errors.contains("warning: a.NEF"), "\(run.errors)")
        try FileManager.default.copyItem(atPath: Fixtures.path("photo.jpg"), toPath: program.file("b.nef").path)
        #expect(try await program.run("convert", "b.nef", "b.png").errors.isEmpty, "it is a JPEG")
    }

    @Test("info stops a transfer as soon as the header has arrived")
    func stopsEarly() async throws {
        let photo = try Fixtures.data("photo.jpg")
        // The rest never comes: only a reader that stops by itself ends.
        let padded = photo + Data(count: 4_000_000)
        origin.serve("/a.jpg", OriginResponse.picture(padded).stalling(afterBytes: photo.count))
        let run = try await program.run("info", "--json", origin.url("/a.jpg").absoluteString)
        #expect(run.status == 0, "\(run.errors)")
        let object = try #require(try run.objects().first)
        #expect(object["format"] as? String == "JPEG")
        #expect(object["bytes"] as? Int == padded.count)
        #expect(!FileManager.default.fileExists(atPath: program.cache.path))
    }

    @Test("info of a file reads its beginning only")
    func readsPrefix() async throws {
        let photo = try Fixtures.data("photo.jpg")
        let file = program.file("large.jpg")
        try photo.write(to: file)
        // Sparse, and larger than a loader's limit for a whole file.
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 200 << 20)
        try handle.close()
        let run = try await program.run("info", "--json", "large.jpg")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try run.objects().first?["bytes"] as? Int == 200 << 20)
    }

    @Test("info finds an orientation behind the pixels of a PNG, and tells what it knows where the end is missing")
    func orientationAtTheEnd() async throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 3, height: 2)
        builder.appendPixels([UInt8](repeating: 0, count: 26))
        // A directory with the entry for orientation (TIFF 6.0 §2).
        builder.append(
            "eXIf", [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
        builder.appendEnd()
        try builder.data.write(to: program.file("a.png"))
        origin.serve("/a.png", .picture(builder.data))
        origin.serve("/cut.png", .picture(builder.data.dropLast(60)))
        for name in ["a.png", origin.url("/a.png").absoluteString] {
            let object = try #require(try await program.run("info", "--json", name).objects().first)
            #expect(object["orientation"] as? Int == 6 && object["width"] as? Int == 2, "\(name)")
            #expect(object["bytes"] as? Int == builder.data.count)
        }
        let cut = try await program.run("info", "--json", origin.url("/cut.png").absoluteString)
        #expect(try cut.objects().first?["width"] as? Int == 3, "\(cut.errors)")
    }

    @Test(
        "an orientation in XMP turns no PNG, wherever it stands, and info says the same as the pixels",
        arguments: [true, false])
    func orientationInXMP(isBehindPixels: Bool) async throws {
        let packet = "XML:com.adobe.xmp\0\0\0\0\0<rdf:Description tiff:Orientation=\"6\"/>"
        var builder = PNGBuilder()
        builder.appendHeader(width: 3, height: 2)
        if !isBehindPixels { builder.append("iTXt", Array(packet.utf8)) }
        builder.appendPixels([UInt8](repeating: 0, count: 26))
        if isBehindPixels { builder.append("iTXt", Array(packet.utf8)) }
        builder.appendEnd()
        try builder.data.write(to: program.file("a.png"))
        #expect(try await program.run("convert", "a.png", "b.png").status == 0)
        for object in try await program.run("info", "--json", "a.png", "b.png").objects() {
            #expect(object["orientation"] as? Int == 1 && object["width"] as? Int == 3)
        }
    }

    @Test("--max-frames raises the limit of frames, and --first-frame needs none", .timeLimit(.minutes(5)))
    func manyFrames() async throws {
        var builder = GIFBuilder(width: 1, height: 1)
        for _ in 0...10_000 { builder.appendFrame(width: 1, height: 1, indices: [1]) }
        builder.appendTrailer()
        try builder.data.write(to: program.file("a.gif"))
        let refused = try await program.run("info", "a.gif")
        #expect(refused.status == 1 && refused.errors.contains("maximumFrameCount"), "\(refused.errors)")
        let info = try await program.run("info", "--json", "a.gif", "--max-frames", "10001")
        #expect(try info.objects().first?["frames"] as? Int == 10_001, "\(info.errors)")
        #expect(try await program.run("convert", "a.gif", "a.webp").status == 1)
        #expect(
            try await program.run("convert", "a.gif", "b.gif", "--colors", "4", "--max-frames", "20000").status == 0)
        for arguments in [["a.png", "--first-frame"], ["a.jpg"], ["b.png", "--first-frame", "--flip", "h"]] {
            let run = try await program.run(["convert", "a.gif"] + arguments)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try Image(contentsOf: program.file("a.png")).bitmap.pixel(0, 0) == [255, 0, 0, 255])
    }

    @Test("info recognises files by the same signs as convert, also one whose name alone tells its format")
    func sameSigns() async throws {
        let file = try await program.run("convert", Fixtures.path("photo-small.png"), "a.avif")
        #expect(file.status == 0, "\(file.errors)")
        var data = try Data(contentsOf: program.file("a.avif"))
        for major in ["MA1B", "miaf", "none"] {
            data.replaceSubrange(8..<12, with: Data(major.utf8))
            try data.write(to: program.file("b.avif"))
            let info = try await program.run("info", "--json", "b.avif")
            #expect(try info.objects().first?["format"] as? String == "AVIF", "\(major): \(info.errors)")
            #expect(try await program.run("convert", "b.avif", "\(major).png").status == 0)
        }
        let brands = Int(data[3])
        data.replaceSubrange(8..<brands, with: Data(repeating: UInt8(ascii: "x"), count: brands - 8))
        try data.write(to: program.file("c.avif"))
        let (info, convert) = (
            try await program.run("info", "c.avif"), try await program.run("convert", "c.avif", "c.png")
        )
        #expect(info.status == convert.status, "\(info.errors) \(convert.errors)")
    }

    @Test("info reports files that are no picture, missing and cut, in the requested order")
    func failures() async throws {
        let photo = try Fixtures.data("photo.jpg")
        origin.serve("/html", .text("<html>no</html>", contentType: "image/jpeg"))
        origin.serve("/cut.jpg", .picture(photo.prefix(50)))
        try photo.write(to: program.file("a.jpg"))
        let run = try await program.run(
            "info", "--json", origin.url("/html").absoluteString, "a.jpg", "none.jpg",
            origin.url("/cut.jpg").absoluteString)
        #expect(run.status == 1 && run.errorLines.count == 3, "\(run.errors)")
        let codes = try run.objects().map { ($0["error"] as? [String: Any])?["code"] as? Int }
        #expect(codes == [1001, nil, 3020, 3011])
    }

    @Test("cache stats counts, cache clear removes and prints the amount")
    func cache() async throws {
        let photo = try Fixtures.data("photo.jpg")
        for path in ["/a.jpg", "/b.jpg"] { origin.serve(path, .picture(photo)) }
        _ = try await program.run("load", origin.url("/a.jpg").absoluteString, origin.url("/b.jpg").absoluteString)
        let stats = try #require(try await program.run("cache", "stats", "--json").objects().first)
        #expect(stats["entries"] as? Int == 2 && stats["bytes"] as? Int ?? 0 > 2 * photo.count)
        #expect(stats["directory"] as? String == program.cache.path)
        let clear = try await program.run("cache", "clear")
        #expect(clear.status == 0 && clear.text.contains("removed 2 pictures"))
        #expect(try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int == 0)
    }

    @Test("cache clear leaves foreign files alone, and a missing cache is empty")
    func foreignFiles() async throws {
        try Data("mine".utf8).write(to: program.file("letter.txt"))
        #expect(try await program.run("cache", "clear", "--cache", ".").status == 0)
        #expect(program.files == ["letter.txt"])
        let none = try await program.run("cache", "stats", "--cache", "none", "-q")
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(program.files == ["letter.txt"])
    }

    @Test("--help and --version go to standard output and exit 0")
    func help() async throws {
        let ways = [["--help"], ["-h"], ["help"], ["load", "--help"], ["info", "x", "-h"], ["help", "cache"]]
        for arguments in ways {
            let run = try await program.run(arguments)
            #expect(run.status == 0 && run.errors.isEmpty && run.text.contains("Usage: webimage "))
        }
        let version = try await program.run("--version")
        #expect(version.status == 0 && version.lines == ["webimage \(WebImageVersion.current)"])
    }
}
