import Foundation
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageCommandLine
@testable import WebImageTestDoubles

@Suite("Command line: convert and frames", .timeLimit(.minutes(5)))
struct ConvertCommandTests {
    private let program: Program

    init() throws { program = try Program() }

    private func decode(_ url: URL) throws -> Image {
        try ImageCodersManager.shared.decode(try Data(contentsOf: url), options: ImageDecodeOptions())
    }

    @Test(
        "convert writes the format of the file's name, in the requested size", arguments: ["jpg", "png", "webp", "gif"])
    func formats(suffix: String) async throws {
        let output = program.file("out.\(suffix)")
        let run = try await program.run(
            "convert", Fixtures.path("photo.jpg"), output.path(), "--thumbnail", "60x60", "--json")
        #expect(run.status == 0, "\(run.errors)")
        let image = try decode(output)
        let format = try #require(ImageFormat(fileExtension: suffix))
        #expect(image.metadata.format == format)
        #expect(max(image.pixelSize.width, image.pixelSize.height) == 60)
        let record = try #require(try run.objects().first)
        #expect(record["format"] as? String == format.description)
        #expect(record["width"] as? Int == image.pixelSize.width)
        #expect(record["bytes"] as? Int == (try Data(contentsOf: output)).count)
        #expect(record["frames"] as? Int == 1)
    }

    @Test("a picture written in its own format is the original, byte for byte; with a quality it is not")
    func original() async throws {
        let output = program.file("same.jpg")
        #expect(try await program.run("convert", Fixtures.path("photo.jpg"), output.path()).status == 0)
        #expect(try Data(contentsOf: output) == (try Fixtures.data("photo.jpg")))
        #expect(
            try await program.run("convert", Fixtures.path("photo.jpg"), output.path(), "--quality", "30").status == 0)
        #expect(try Data(contentsOf: output).count < (try Fixtures.data("photo.jpg")).count)
    }

    @Test("an animation keeps its frames, durations and loops in animated formats", arguments: ["gif", "png", "webp"])
    func animation(suffix: String) async throws {
        let output = program.file("moving.\(suffix)")
        let run = try await program.run("convert", Fixtures.path("animated.webp"), output.path())
        #expect(run.status == 0, "\(run.errors)")
        let source = try #require(
            try ImageCodersManager.shared.properties(of: Fixtures.data("animated.webp"), isComplete: true))
        let result = try #require(
            try ImageCodersManager.shared.properties(of: Data(contentsOf: output), isComplete: true))
        #expect(result.frameCount == source.frameCount)
        #expect(result.loopCount == source.loopCount)
        #expect(
            result.frameDurations.map { $0.wholeMilliseconds / 10 }
                == source.frameDurations.map { max($0.wholeMilliseconds, 11) / 10 })
    }

    @Test("the report has the frames of the file that is written, where frames that are alike are one")
    func joinedFrames() async throws {
        var gif = GIFBuilder(width: 2, height: 1)
        for index in [1, 1, 1, 2] as [UInt8] {
            gif.appendControl(hundredths: 10)
            gif.appendFrame(width: 2, height: 1, indices: [index, 3])
        }
        gif.appendTrailer()
        try gif.data.write(to: program.file("a.gif"))
        let run = try await program.run("convert", "a.gif", "b.webp", "--json")
        let written = try ImageCodersManager.shared.properties(
            of: Data(contentsOf: program.file("b.webp")), isComplete: true)
        #expect(written?.frameCount == 2)
        #expect(try run.objects().first?["frames"] as? Int == 2)
    }

    @Test(
        "EOP-2 the first frame alone is written on request, and in still formats",
        arguments: [
            ("first.gif", ["--first-frame"]), ("first.jpg", []),
        ])
    func firstFrame(name: String, options: [String]) async throws {
        let output = program.file(name)
        let run = try await program.run(["convert", Fixtures.path("animated.gif"), output.path()] + options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try decode(output).metadata.frameCount == 1)
    }

    @Test("frames writes every frame, composed, and prints its duration")
    func frames() async throws {
        let directory = program.file("frames/")
        let run = try await program.run(
            "frames", Fixtures.path("animated.gif"), "-o", directory.path(), "--json")
        #expect(run.status == 0, "\(run.errors)")
        let source = try #require(
            try ImageCodersManager.shared.properties(of: Fixtures.data("animated.gif"), isComplete: true))
        let records = try run.objects()
        #expect(records.count == source.frameCount)
        for (index, record) in records.enumerated() {
            let path = try #require(record["output"] as? String)
            #expect(path.hasSuffix("animated-000\(index + 1).png"))
            #expect(try decode(URL(filePath: path)).pixelSize == source.pixelSize)
            #expect(record["index"] as? Int == index)
            #expect(record["loopCount"] as? Int == source.loopCount)
        }
    }

    @Test("a still picture has one frame")
    func stillFrame() async throws {
        let run = try await program.run(
            "frames", Fixtures.path("photo.jpg"), "-o", program.file("one/").path(), "--json", "--format", "jpeg")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try run.objects().map { $0["frames"] as? Int } == [1])
        let words = try await program.run("frames", Fixtures.path("photo.jpg"), "-o", "two")
        let byteCount = try Data(contentsOf: program.file("two/photo-0001.png")).count
        #expect(words.lines == ["two/photo-0001.png  200×150  \(Quantity.bytes(byteCount))"])
    }

    @Test("BCO-9 a damaged frame is an error with its number; those after it are written")
    func damagedFrame() async throws {
        var gif = GIFBuilder(width: 2, height: 1)
        gif.appendFrame(width: 2, height: 1, indices: [1, 1])
        gif.appendFrame(width: 2, height: 1, indices: [2])
        gif.appendFrame(left: 1, width: 1, height: 1, indices: [3])
        gif.appendTrailer()
        try gif.data.write(to: program.file("a.gif"))
        let run = try await program.run("frames", "a.gif", "-o", "d")
        #expect(run.status == 1 && run.lines.count == 2, "\(run.text)")
        #expect(run.errorLines.count == 1 && run.errors.contains("a.gif: frame 2 of 3: the GIF file"), "\(run.errors)")
        #expect(program.files.filter { $0.hasSuffix(".png") } == ["d/a-0001.png", "d/a-0003.png"])
        let records = try await program.run("frames", "a.gif", "-o", "d", "--json").objects()
        #expect(records.map { $0["index"] as? Int } == [0, 1, 2])
        #expect(records.map { ($0["error"] as? [String: Any]) != nil } == [false, true, false])
        #expect(records.map { ($0["output"] as? String) != nil } == [true, false, true])
        let convert = try await program.run("convert", "a.gif", "a.png")
        #expect(convert.status == 1 && convert.errors.contains("frame 2 of 3: the GIF file"), "\(convert.errors)")
    }

    @Test(
        "a damaged page is an error with its number, also the first; the others are written", arguments: 0..<3)
    func damagedPage(page: Int) async throws {
        try Self.pages([10, 100, 200], damaged: page).write(to: program.file("a.tif"))
        let run = try await program.run("frames", "a.tif", "-o", "d")
        #expect(run.status == 1 && run.lines.count == 2, "\(run.text)")
        #expect(run.errorLines.count == 1 && run.errors.contains("page \(page + 1) of 3: "), "\(run.errors)")
        let whole = (0..<3).filter { $0 != page }.map { "d/a-000\($0 + 1).png" }
        #expect(program.files.filter { $0.hasSuffix(".png") } == whole)
    }

    @Test("--page 1 of several is written alone, of one it is the file")
    func onlyPage() async throws {
        for (levels, isOriginal) in [([UInt8(10)], true), ([10, 200], false)] {
            let file = Self.pages(levels)
            try file.write(to: program.file("a.tif"))
            let run = try await program.run("convert", "a.tif", "b.tif", "--page", "1")
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect((try Data(contentsOf: program.file("b.tif")) == file) == isOriginal)
        }
    }

    /// A TIFF of grey pages of one pixel.
    ///
    /// - Parameter damaged: The page whose pixels are missing.
    private static func pages(_ levels: [UInt8], damaged: Int? = nil) -> Data {
        func number(_ value: Int, bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> ($0 * 8) & 255) } }
        let tags = [256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 277: 1, 278: 1, 279: 1]
        let directoryLength = 2 + (tags.count + 1) * 12 + 4
        var file = Array("II".utf8) + number(42, bytes: 2) + number(8, bytes: 4)
        for page in levels.indices {
            let pixel = page == damaged ? 1 << 20 : 8 + levels.count * directoryLength + page
            let entries = tags.merging([273: pixel]) { $1 }.sorted { $0.key < $1.key }
            file += number(entries.count, bytes: 2)
            for (tag, value) in entries {
                file += number(tag, bytes: 2) + number(4, bytes: 2) + number(1, bytes: 4) + number(value, bytes: 4)
            }
            file += number(page + 1 < levels.count ? 8 + (page + 1) * directoryLength : 0, bytes: 4)
        }
        return Data(file + levels)
    }

    @Test("each page of a document is a frame, any can be converted, and a missing one is an error")
    func pages() async throws {
        let input = program.file("document.tif")
        try Self.pages([10, 200]).write(to: input)
        let frames = try await program.run("frames", input.path(), "-o", program.file("pages/").path(), "--json")
        #expect(frames.status == 0, "\(frames.errors)")
        let records = try frames.objects()
        #expect(records.map { $0["frames"] as? Int } == [2, 2])
        let levels = try records.map { record in
            try decode(URL(filePath: #require(record["output"] as? String))).bitmap.pixel(0, 0)[0]
        }
        #expect(levels == [10, 200])
        let output = program.file("second.png")
        #expect(try await program.run("convert", input.path(), output.path(), "--page", "2").status == 0)
        #expect(try decode(output).bitmap.pixel(0, 0) == [200, 200, 200, 255])
        let missing = try await program.run("convert", input.path(), program.file("third.png").path(), "--page", "3")
        #expect(
            missing.status == 1 && missing.errors.contains("no page 3: the TIFF file has 2"), "\(missing.errors)")
        let photo = try await program.run(
            "convert", Fixtures.path("photo.jpg"), program.file("third.png").path(), "--page", "2")
        #expect(photo.status == 1 && photo.errors.contains("no page 2: the JPEG file has only one"), "\(photo.errors)")
        let info = try await program.run("info", input.path())
        let text = String(decoding: info.output, as: UTF8.self)
        #expect(text.contains("pages") && !text.contains("loop"), "\(text)")
    }

    @Test("TIFF is written in the requested compression")
    func compression() async throws {
        var sizes: [Int] = []
        for name in ["none", "lzw", "deflate"] {
            let output = program.file("\(name).tif")
            let run = try await program.run(
                "convert", Fixtures.path("photo.jpg"), output.path(), "--tiff-compression", name)
            #expect(run.status == 0, "\(run.errors)")
            sizes.append(try Data(contentsOf: output).count)
        }
        #expect(Set(sizes).count == 3 && sizes[0] > sizes[2])
    }

    @Test(
        "meaningless options are refused with the right way to write them",
        arguments: [
            (["convert", "a.png"], "convert IN OUT"), (["convert", "a.png", "b"], "--format"),
            (["convert", "a.png", "/"], "directory"),
            (["convert", "a.png", "b.jpg", "--max-size", "10kB", "--quality", "5"], "--max-size"),
            (["convert", "a.png", "b.jpg", "--background", "red"], "hexadecimal"), (["frames", "a.gif"], "-o DIR"),
            (["convert", "a.png", ""], "empty"), (["convert", "a.png"], "1 operand;"),
            (["frames", "a.gif", "-o", "-"], "give a directory"),
        ])
    func refusals(arguments: [String], word: String) async throws {
        let run = try await program.run(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains(word), "\(run.errors)")
    }

    @Test("a damaged picture and a format that is only read are one error each, and no file")
    func failures() async throws {
        let broken = program.file("broken.png")
        try Data("\u{89}PNG\r\n\u{1A}\nnothing".utf8).write(to: broken)
        for (input, name) in [(broken.path(), "out.png"), (Fixtures.path("photo.jpg"), "out.svg")] {
            let output = program.file(name)
            let run = try await program.run("convert", input, output.path(), "--thumbnail", "9x9")
            #expect(run.status == 1)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: output.path()))
        }
    }

    @Test("a format that the program was built without is an error that says how to build it")
    func absentFormat() async throws {
        try Data("%PDF-1.4\nnothing".utf8).write(to: program.file("a.pdf"))
        let run = try await program.run("convert", "a.pdf", "a.png")
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
        #if !PDF
            #expect(run.errors.contains("without PDF; build it with"), "\(run.errors)")
        #endif
    }
}
