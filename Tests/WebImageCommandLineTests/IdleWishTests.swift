import Foundation
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageTestDoubles
@testable import webimage

@Suite("Command line: options that change nothing", .timeLimit(.minutes(5)))
struct IdleWishTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test(
        "an option unknown to a format is a warning with reason and purpose, and the picture is written",
        arguments: [
            (
                "a.png", ["--quality", "50"],
                "--quality changes nothing in PNG, which has none to choose; it is for JPEG"
            ),
            ("a.jpg", ["--lossless"], "--lossless changes nothing in JPEG, which cannot keep every pixel"),
            ("a.jpg", ["--deep"], "--deep changes nothing in JPEG, which is written in 8 bits per channel"),
            (
                "a.jpg", ["--hdr"],
                "--hdr changes nothing in JPEG, which gets standard range where its pixels are written; it is for PNG, AVIF and JPEG XL"
            ),
            ("a.webp", ["--deep"], "--deep changes nothing in WebP, which is written in 8 bits per channel"),
            (
                "a.jpg", ["--wide-gamut"],
                "--wide-gamut changes nothing in JPEG, which gets sRGB where its pixels are written; it is for PNG, AVIF and JPEG XL"
            ),
            (
                "a.tiff", ["--hdr"],
                "--hdr changes nothing in TIFF, which gets standard range where its pixels are written"
            ),
            ("a.png", ["--background", "ff0000"], "--background changes nothing in PNG, which keeps transparency"),
            ("a.jpg", ["--colors", "8"], "--colors changes nothing in JPEG, which takes all colours; it is for GIF"),
            ("a.bmp", ["--dithering", "1"], "--dithering changes nothing in BMP"),
            ("a.webp", ["--shared-colors"], "--shared-colors changes nothing in WebP"),
            ("a.png", ["--tiff-compression", "lzw"], "--tiff-compression changes nothing in PNG"),
            ("a.png", ["--embed-thumbnail"], "--embed-thumbnail changes nothing in PNG"),
        ])
    func warnings(output: String, options: [String], says: String) async throws {
        let run = try await program.run(["convert", Fixtures.path("photo.jpg"), output] + options)
        #expect(run.status == 0 && program.files == [output])
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("webimage: warning: \(Fixtures.path("photo.jpg")): \(says)"), "\(run.errors)")
        let quiet = try await program.run(["convert", Fixtures.path("photo.jpg"), output, "--quiet"] + options)
        #expect(quiet.status == 0 && quiet.errors.isEmpty && quiet.output.isEmpty)
        let written = try Data(contentsOf: program.file(output))
        let plain = try await program.run("convert", Fixtures.path("photo.jpg"), "plain-\(output)")
        #expect(plain.status == 0 && plain.errors.isEmpty, "\(plain.errors)")
        #expect(try Data(contentsOf: program.file("plain-\(output)")) == written)
    }

    @Test(
        "options that make no other picture leave the file as it is, byte for byte",
        arguments: [
            (
                "photo.jpg", "a.jpg",
                [
                    "--lossless", "--colors 16", "--dithering 1", "--shared-colors", "--tiff-compression lzw",
                    "--max-size 5MB", "--max-pixel-size 200x150", "--max-pixel-size 5000x5000",
                    "--thumbnail 5000x5000", "--thumbnail 5000x5000 --stretch", "--thumbnail 300x300 --preview",
                    "--limit-bytes 100MB", "--first-frame", "--page 1", "--background 000000",
                ]
            ),
            (
                "photo-small.png", "a.png",
                ["--quality 9", "--lossless", "--deep", "--hdr", "--wide-gamut", "--embed-thumbnail"]
            ),
            ("palette.gif", "a.gif", ["--colors 256", "--dithering 0", "--max-size 1MB"]),
            ("lossy.webp", "a.webp", ["--max-size 5MB", "--limit-bytes 100MB", "--colors 3"]),
            ("animated.gif", "a.gif", ["--max-pixel-size 24x16", "--thumbnail 24x16", "--max-size 1MB"]),
            ("animated.webp", "a.webp", ["--max-pixel-size 48x32", "--limit-bytes 100MB", "--max-size 1MB"]),
        ])
    func originals(input: String, output: String, wishes: [String]) async throws {
        for wish in wishes {
            let options = wish.split(separator: " ").map(String.init)
            let run = try await program.run(["convert", Fixtures.path(input), output, "--quiet"] + options)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try Data(contentsOf: program.file(output)) == Fixtures.data(input), "\(wish)")
        }
    }

    @Test(
        "options that make another picture or file create one, in its own format too",
        arguments: [
            (
                "photo.jpg", "a.jpg",
                [
                    "--quality 100", "--max-size 2kB", "--max-pixel-size 199x150", "--thumbnail 100x100",
                    "--limit-bytes 1000", "--embed-thumbnail",
                ]
            ),
            ("lossy.webp", "a.webp", ["--lossless", "--quality 50"]),
            ("palette.gif", "a.gif", ["--colors 2", "--max-pixel-size 100x100"]),
            ("animated.gif", "a.gif", ["--first-frame", "--max-pixel-size 23x16", "--colors 2", "--shared-colors"]),
        ])
    func others(input: String, output: String, wishes: [String]) async throws {
        for wish in wishes {
            let options = wish.split(separator: " ").map(String.init)
            let run = try await program.run(["convert", Fixtures.path(input), output, "--quiet"] + options)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try Data(contentsOf: program.file(output)) != Fixtures.data(input), "\(wish)")
        }
    }

    @Test(
        "an option known to a format is no warning, and neither is the format's usual behaviour",
        arguments: [
            ("a.jpg", ["--quality", "50", "--background", "000000", "--embed-thumbnail"]),
            ("a.gif", ["--colors", "8", "--dithering", "1", "--shared-colors"]), ("a.webp", ["--lossless"]),
            ("a.png", ["--lossless", "--deep", "--first-frame"]), ("b.png", ["--hdr", "--wide-gamut"]),
            ("a.tiff", ["--tiff-compression", "lzw", "--deep"]),
            ("a.jxl", ["--quality", "50", "--deep", "--hdr"]), ("a.avif", ["--quality", "50", "--deep", "--hdr"]),
        ])
    func silence(output: String, options: [String]) async throws {
        let run = try await program.run(["convert", Fixtures.path("photo.jpg"), output] + options)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("EOP-1 where --deep and --hdr are no warning, they change the output", arguments: ["a.jxl", "a.avif"])
    func depths(output: String) async throws {
        for (isHDR, options, isDeep) in [
            (false, [], false), (false, ["--deep"], true), (true, [], false), (true, ["--hdr"], true),
        ] {
            var png = PNGBuilder()
            png.appendHeader(width: 1, height: 1, bitDepth: 16)
            if isHDR { png.append("cICP", [9, 16, 0, 1]) }
            png.appendPixels([0, 150, 1, 140, 2, 130, 3, 255, 255])
            png.appendEnd()
            try png.data.write(to: program.file("in.png"))
            let run = try await program.run(["convert", "in.png", output] + options)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            let info = try await program.run("info", output, "--json")
            let bits = try #require(try info.objects().first?["bitsPerChannel"] as? Int)
            #expect(isDeep ? bits > 8 : bits == 8, "\(bits) bits with \(options)")
        }
    }

    @Test("frames and load warn too, load where it knows the format")
    func warningsElsewhere() async throws {
        let frames = try await program.run("frames", Fixtures.path("animated.gif"), "-o", "d", "--quality", "9")
        #expect(frames.status == 0 && frames.errors.contains("warning") && frames.errors.contains("PNG"))
        let load = try await program.run(
            "load", Fixtures.path("photo.jpg"), "-o", "a.png", "--quality", "9", "--hdr", "--no-cache")
        #expect(load.status == 0 && load.errorLines.count == 1)
        #expect(load.errors.hasPrefix("webimage: warning: --quality changes nothing in PNG"), "\(load.errors)")
        let kept = try await program.run("load", Fixtures.path("photo.jpg"), "-o", "d/", "--quality", "9", "--no-cache")
        #expect(kept.status == 0 && kept.errors.isEmpty)
        let png = try await program.run(
            "load", Fixtures.path("photo-small.png"), "-o", "b.png", "--quality", "9", "--no-cache", "--quiet")
        #expect(png.status == 0)
        #expect(try Data(contentsOf: program.file("b.png")) == Fixtures.data("photo-small.png"))
    }

    @Test("EOP-6 a file above the byte limit is a warning with advice for its format")
    func tooLarge() async throws {
        let photo = Fixtures.path("photo.jpg")
        let lossless = try await program.run("convert", photo, "a.png", "--max-size", "300B")
        #expect(lossless.status == 0 && lossless.errors.contains("PNG are more than --max-size 300; it has no quality"))
        let lossy = try await program.run("convert", photo, "a.jpg", "--max-size", "300B")
        #expect(lossy.errors.contains("JPEG are more than --max-size 300; give --thumbnail"))
        for run in [lossless, lossy] { #expect(run.errors.hasPrefix("webimage: warning: \(photo): "), "\(run.errors)") }
        for (size, isTooLarge) in [("300B", true), ("300kB", false)] {
            let run = try await program.run("convert", photo, "a.jpg", "--max-size", size, "--json", "--quiet")
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try run.objects().first?["exceedsMaxSize"] as? Bool == isTooLarge)
        }
        let plain = try await program.run("convert", photo, "a.jpg", "--json")
        #expect(try plain.objects().first?["exceedsMaxSize"] == nil)
    }

    @Test(
        "contradictory options are refused with the one to leave out",
        arguments: [
            ["convert", "a.png", "b.webp", "--lossless", "--quality", "5"],
            ["convert", "a.png", "b.webp", "--lossless", "--max-size", "5kB"],
            ["convert", "a.png", "b.png", "--hdr", "--raw"], ["frames", "a.gif", "-o", "d", "--hdr", "--raw"],
            ["frames", "a.gif", "-o", "d", "--lossless", "--quality", "5"],
            ["load", "a.png", "-o", "a.pam", "--hdr", "--raw"],
            ["convert", "a.png", "b.png", "--wide-gamut", "--raw"],
        ])
    func contradictions(arguments: [String]) async throws {
        let run = try await program.run(arguments)
        #expect(run.status == 2 && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("leave one of them out"), "\(run.errors)")
    }

    @Test("frames accepts the options for a format's pixels, as convert does")
    func frameOptions() async throws {
        let source = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        let png = try ImageCodersManager.shared.encode(Image(bitmap: source), to: .png, options: ImageEncodeOptions())
        try png.write(to: program.file("clear.png"))
        let jpeg = try await program.run(
            "frames", "clear.png", "-o", ".", "--format", "jpeg", "--background", "ff0000")
        #expect(jpeg.status == 0 && jpeg.errors.isEmpty, "\(jpeg.errors)")
        let pixel = try Image(contentsOf: program.file("clear-0001.jpg")).bitmap.pixel(0, 0)
        #expect(pixel[0] > 240 && pixel[1] < 15 && pixel[2] < 15)
        var sizes: [Int] = []
        for name in ["none", "deflate"] {
            let run = try await program.run(
                "frames", Fixtures.path("photo.jpg"), "-o", name, "--format", "tiff", "--tiff-compression", name)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            sizes.append(try Data(contentsOf: program.file("\(name)/photo-0001.tiff")).count)
        }
        #expect(sizes[0] > sizes[1])
    }
}
