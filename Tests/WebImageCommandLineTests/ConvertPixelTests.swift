import Foundation
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Command line: choosing pixels", .timeLimit(.minutes(5)))
struct ConvertPixelTests {
    private let program: Program

    init() throws { program = try Program() }

    private func convert(_ input: String, _ output: String, _ options: String...) async throws -> Image {
        let file = program.file(output)
        let run = try await program.run(["convert", input, file.path] + options)
        #expect(run.status == 0, "\(run.errors)")
        return try Image(contentsOf: file)
    }

    @Test("--stretch fills the box of the thumbnail")
    func stretch() async throws {
        let image = try await convert(Fixtures.path("photo.jpg"), "a.png", "--thumbnail", "50x50", "--stretch")
        #expect(image.pixelSize.description == "50×50")
    }

    @Test("--limit-bytes is for all frames together")
    func limitBytes() async throws {
        // 48×32 pixels of 4 bytes, three times, are 18,432 bytes.
        let image = try await convert(Fixtures.path("animated.webp"), "a.webp", "--limit-bytes", "4608")
        #expect(image.pixelSize.description == "24×16" && image.metadata.frameCount == 3)
    }

    @Test("--max-pixels refuses larger pictures, and names the setting for an app")
    func maximumPixels() async throws {
        let input = Fixtures.path("photo.jpg")
        let run = try await program.run("convert", input, "a.png", "--max-pixels", "29999")
        #expect(run.status == 1 && run.errors.contains("maximumPixelCount"))
        #expect(try await convert(input, "b.png", "--max-pixels", "30000").pixelSize.description == "200×150")
        let help = try await program.run("convert", "--help")
        #expect(help.text.contains("maximumPixelCount"))
    }

    @Test("--max-pixel-size shrinks the output, --colors and --dithering are GIF's")
    func encoding() async throws {
        let input = Fixtures.path("photo.jpg")
        let small = try await convert(input, "a.png", "--max-pixel-size", "20x100")
        #expect(small.pixelSize.description == "20×15")
        let told = try await program.run("convert", input, "told.png", "--max-pixel-size", "20x100")
        #expect(told.text.contains("20×15"))
        let frames = try await program.run(
            "frames", Fixtures.path("animated.webp"), "-o", ".", "--max-pixel-size", "12x12")
        #expect(frames.text.contains("12×8"))
        let crammed = try await program.run("convert", input, "crammed.jpg", "--max-size", "300B")
        #expect(crammed.status == 0 && crammed.errors.hasPrefix("webimage: warning: "))
        #expect(crammed.errors.contains("are more than --max-size 300"))
        let few = try await convert(input, "a.gif", "--colors", "4", "--dithering", "0")
        let pixels = few.bitmap
        let colors = Set((0..<150).flatMap { y in (0..<200).map { pixels.pixel($0, y) } })
        #expect(colors.count <= 4)
        let flat = try Data(contentsOf: program.file("a.gif"))
        _ = try await convert(input, "b.gif", "--colors", "4", "--dithering", "1")
        #expect(try Data(contentsOf: program.file("b.gif")) != flat)
        _ = try await convert(Fixtures.path("animated.webp"), "c.gif", "--shared-colors")
    }

    @Test("Control-C ends the writing of frames between two of them, and the program with 130")
    func interrupted() async throws {
        let frames = try (0..<10_000).map { number in
            let color = [UInt8(number & 0xFF), UInt8(number >> 8), 0, 255]
            return ImageFrame(
                bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: color), duration: .milliseconds(100))
        }
        let file = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
        try file.write(to: program.file("a.gif"))
        // It cannot end before the signal: its output does not fit into the pipe, which is read only afterwards.
        let pipe = Pipe()
        let run = try await program.run(["frames", "a.gif", "-o", "out"], output: pipe.fileHandleForWriting) {
            process in
            _ = try pipe.fileHandleForReading.read(upToCount: 1)
            kill(process, SIGINT)
            try pipe.fileHandleForWriting.close()
            _ = try pipe.fileHandleForReading.readToEnd()
        }
        #expect(run.status == 130 && run.errors.isEmpty)
        #expect(program.files.count < 9_000)
        #expect(!program.files.contains { $0.hasPrefix("out/.") }, "nothing half-written")
    }

    @Test("--hdr keeps the range of a picture in PQ")
    func highDynamicRange() async throws {
        var png = PNGBuilder()
        png.appendHeader(width: 2, height: 1)
        png.append("cICP", [9, 16, 0, 1])
        png.appendPixels([0, 150, 150, 150, 255, 150, 150, 150, 255])
        png.appendEnd()
        let input = program.file("in.png")
        try png.data.write(to: input)
        let output = program.file("out.png")
        var options = ImageDecodeOptions()
        options.decodesToHDR = true
        for (arguments, isKept) in [
            // At another size, because otherwise the file itself would be the result.
            (["--hdr", "--max-pixel-size", "1x1"], true), (["--max-pixel-size", "1x1"], false),
        ] {
            let run = try await program.run(["convert", input.path, output.path] + arguments)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try Image(contentsOf: output, options: options).isHighDynamicRange == isKept)
        }
    }

    @Test("--wide-gamut keeps the colours of a picture in Display P3")
    func wideGamut() async throws {
        var png = PNGBuilder()
        png.appendHeader(width: 2, height: 1)
        png.append("cICP", [12, 13, 0, 1])
        png.appendPixels([0, 255, 0, 0, 255, 255, 0, 0, 255])
        png.appendEnd()
        let input = program.file("in.png")
        try png.data.write(to: input)
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = true
        for (name, arguments, isKept) in [
            ("a.png", ["--wide-gamut"], true), ("b.png", [], false), ("c.avif", ["--wide-gamut"], true),
            ("d.jxl", ["--wide-gamut"], true), ("e.webp", [], false),
        ] {
            let run = try await program.run(["convert", "in.png", name, "--max-pixel-size", "1x1"] + arguments)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            // The library's own coders do not read the others.
            let written = try await program.run(["convert", name, "again-\(name).png"] + arguments)
            #expect(written.status == 0, "\(written.errors)")
            let bitmap = try Image(contentsOf: program.file("again-\(name).png"), options: options).bitmap
            #expect(bitmap.colorSpace == (isKept ? .displayP3 : .sRGB), "\(name)")
        }
    }

    @Test(
        "an option for thumbnails says that it needs one",
        arguments: [
            ["convert", "a.jpg", "b.png"], ["frames", "a.gif", "-o", "d"], ["load", "a.jpg"], ["explain", "a.jpg"],
        ],
        ["--stretch", "--preview"])
    func refusals(command: [String], option: String) async throws {
        let run = try await program.run(command + [option])
        #expect(run.status == 2 && run.errors.contains("--thumbnail"))
    }

    @Test("load takes the same options")
    func load() async throws {
        let file = program.file("a.png")
        let run = try await program.run(
            "load", Fixtures.path("photo.jpg"), "-o", file.path, "--thumbnail", "40x40", "--stretch", "--no-cache")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Image(contentsOf: file).pixelSize.description == "40×40")
        let limited = try await program.run("load", Fixtures.path("photo.jpg"), "--max-pixels", "100", "--no-cache")
        #expect(limited.status == 1 && limited.errors.contains("maximumPixelCount"))
    }

    @Test("HEIC can be requested by name; without an encoder, the error says so")
    func heic() async throws {
        let file = program.file("a.bin")
        let run = try await program.run(
            "convert", Fixtures.path("photo.jpg"), file.path, "--format", "heic", "--quality", "50")
        #expect(run.status == 0 ? try ImageFormat(sniffing: Data(contentsOf: file)) == .heic : run.status == 1)
        #expect(run.status == 0 || run.errors.contains("HEIC"))
    }
}
