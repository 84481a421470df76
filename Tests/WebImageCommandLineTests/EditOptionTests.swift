import Foundation
import Testing
import WebImage
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: changing pixels", .timeLimit(.minutes(5)))
struct EditOptionTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let photo = Fixtures.path("photo.jpg")

    /// An option and what it does to the photo of 200 × 150 pixels.
    struct Edit: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let expected: @Sendable (Image) throws -> Image?

        init(_ arguments: String, _ expected: @escaping @Sendable (Image) throws -> Image?) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.expected = expected
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let half = PointSize(width: 120, height: 60)
    private static let orange = RGBAColor(red: 255, green: 128, blue: 0, alpha: 128)
    private static let wholeOrange = RGBAColor(red: 255, green: 128, blue: 0)

    private static let edits = [
        Edit("--resize 120x60") { $0.resized(to: half, scaleMode: .fill) },
        Edit("--resize 120x60 --mode aspectFit") { $0.resized(to: half, scaleMode: .aspectFit) },
        Edit("--mode aspectFill --resize 120x60") { $0.resized(to: half, scaleMode: .aspectFill) },
        Edit("--resize 120x60 --filter box") { $0.resized(to: half, scaleMode: .fill, filter: .box) },
        Edit("--resize 120x60 --filter mitchell --linear-light") {
            $0.resized(to: half, scaleMode: .fill, filter: .mitchell, inLinearLight: true)
        },
        Edit("--crop 10,20,30,40") {
            $0.cropped(to: PointRect(x: 10, y: 20, size: PointSize(width: 30, height: 40)))
        },
        Edit("--crop -10,-20,30,40") { $0.cropped(to: PointRect(x: 0, y: 0, width: 20, height: 20)) },
        Edit("--crop 190,-5,300,15") { $0.cropped(to: PointRect(x: 190, y: 0, width: 10, height: 10)) },
        Edit("--round 20") { $0.roundedCorners(radius: 20) },
        Edit("--round 20.5:top-left,bottom-right") {
            $0.roundedCorners(radius: 20.5, corners: [.topLeft, .bottomRight])
        },
        Edit("--circle") { $0.circular() },
        Edit("--flip horizontal") { $0.flipped(horizontal: true, vertical: false) },
        Edit("--flip vertical") { $0.flipped(horizontal: false, vertical: true) },
        Edit("--flip both") { $0.flipped(horizontal: true, vertical: true) },
        Edit("--flip h") { $0.flipped(horizontal: true, vertical: false) },
        Edit("--flip V") { $0.flipped(horizontal: false, vertical: true) },
        Edit("--rotate 90") { $0.rotated(by: .pi / 2) }, Edit("--rotate -30") { $0.rotated(by: -.pi / 6) },
        Edit("--keep-size --rotate 30") { $0.rotated(by: .pi / 6, fitsSize: false) },
        Edit("--blur 8") { $0.blurred(radius: 8) }, Edit("--sharpen 2") { $0.sharpened(radius: 2) },
        Edit("--tint #ff8000") { $0.tinted(with: wholeOrange) },
        Edit("--tint ff800080:sourceAtop") { $0.tinted(with: orange, mode: .sourceAtop) },
        Edit("--tint #FF800080:source-atop") { $0.tinted(with: orange, mode: .sourceAtop) },
        Edit("--invert") { $0.filtered(by: .invert(inLinearLight: false)) },
        Edit("--invert-light") { $0.filtered(by: .invert(inLinearLight: true)) },
        Edit("--mono") { $0.filtered(by: .mono()) },
        Edit("--sepia") { $0.filtered(by: .sepia()) },
        Edit("--brightness -0.2") { $0.filtered(by: .brightness(-0.2)) },
        Edit("--contrast 1.5") { $0.filtered(by: .contrast(1.5)) },
        Edit("--saturation 1.4") { $0.filtered(by: .saturation(1.4)) },
        Edit("--hue -90") { $0.filtered(by: .hue(-.pi / 2)) }, Edit("--exposure -1") { $0.filtered(by: .exposure(-1)) },
        Edit("--gamma 0.5") { $0.filtered(by: .gamma(0.5)) },
        Edit("--vibrance 0.5") { $0.filtered(by: .vibrance(0.5)) },
        Edit("--posterize 4") { $0.filtered(by: .posterize(levels: 4)) },
        Edit("--vignette 0.8") { $0.filtered(by: .vignette(intensity: 0.8)) },
        Edit("--pad 5") { $0.padded(by: EdgeInsets(all: 5)) },
        Edit("--pad 1,2,3,4:#ff8000") {
            $0.padded(by: EdgeInsets(top: 1, left: 4, bottom: 3, right: 2), color: wholeOrange)
        },
        Edit("--pad 5:#000000 --trim") { $0 },
        // In the order typed.
        Edit("--crop 0,0,100,100 --resize 120x60") {
            $0.cropped(to: PointRect(x: 0, y: 0, size: PointSize(width: 100, height: 100)))?
                .resized(to: half, scaleMode: .fill)
        },
        Edit("--resize 120x60 --crop 0,0,100,100") {
            $0.resized(to: half, scaleMode: .fill)?.cropped(
                to: PointRect(x: 0, y: 0, size: PointSize(width: 100, height: 100)))
        },
        Edit("--sepia --invert --flip horizontal --saturation 1.4 --rotate 90 --sepia") {
            $0.filtered(by: [.sepia(), .invert()])?.flipped(horizontal: true, vertical: false)?
                .filtered(by: .saturation(1.4))?.rotated(by: .pi / 2)?.filtered(by: .sepia())
        },
    ]

    private func pixels(_ image: Image) throws -> [UInt8] { try image.bitmap.converted(to: .rgba8Premultiplied).bytes }

    @Test("each option does what the operation of that name does, in the order typed", arguments: edits)
    func options(edit: Edit) async throws {
        let photo = try Image(contentsOf: URL(filePath: Self.photo))
        let expected = try #require(try edit.expected(photo))
        let run = try await program.run(["convert", Self.photo, "a.png"] + edit.arguments)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let found = try Image(contentsOf: program.file("a.png"))
        #expect(found.pixelSize == expected.pixelSize)
        #expect(largestDifference(try pixels(found), try pixels(expected)) <= 1)
        let isUnchanged = try pixels(expected) == pixels(photo)
        #expect(isUnchanged == (edit.arguments.last == "--trim"), "each edit is to be seen")
        let size = "\(expected.pixelSize.width)×\(expected.pixelSize.height)"
        #expect(run.text.contains(size))
    }

    @Test("an overlay lies at its place with its alpha, also one whose name has an @")
    func overlay() async throws {
        let size = PixelSize(width: 2, height: 1)
        let logo = Image(bitmap: try Bitmap(size: size, pixels: [255, 0, 0, 255, 0, 0, 255, 255]))
        let data = try PNGCoder().encode(logo, to: .png, options: ImageEncodeOptions())
        for name in ["logo.png", "logo@2x.png"] { try data.write(to: program.file(name)) }
        let photo = try Image(contentsOf: URL(filePath: Self.photo))
        for (value, placement, opacity) in [
            ("logo.png", OverlayPlacement.center, 1.0), ("logo.png@bottom-right", .bottomRight, 1),
            ("logo@2x.png@top:0.5", .top, 0.5), ("logo@2x.png", .center, 1),
        ] {
            let run = try await program.run("load", Self.photo, "-o", "a.png", "--overlay", value)
            #expect(run.status == 0, "\(run.errors)")
            let expected = try #require(photo.overlaid(with: logo, at: placement, opacity: opacity))
            let found = try Image(contentsOf: program.file("a.png"))
            #expect(largestDifference(try pixels(found), try pixels(expected)) <= 1, "\(value)")
            #expect(try pixels(found) != pixels(photo))
        }
        let over = try await program.run("convert", Self.photo, "logo.png", "--overlay", "logo.png")
        #expect(over.status == 2 && over.errors.contains("would overwrite a picture that is read"))
    }

    @Test("load caches the original, and writes the changed picture, after --thumbnail")
    func load() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let url = origin.url("/a.jpg").absoluteString
        for source in ["network", "disk"] {
            let run = try await program.run(
                "load", url, "-o", "a.png", "--thumbnail", "100", "--crop", "0,0,50,20", "--sepia", "--json")
            #expect(try run.objects().first?["source"] as? String == source)
        }
        _ = try await program.run("load", url, "-o", "thumbnail.png", "--thumbnail", "100")
        let thumbnail = try Image(contentsOf: program.file("thumbnail.png"))
        let part = PointRect(x: 0, y: 0, size: PointSize(width: 50, height: 20))
        let expected = try #require(thumbnail.cropped(to: part)?.filtered(by: .sepia()))
        #expect(try pixels(Image(contentsOf: program.file("a.png"))) == pixels(expected))
        _ = try await program.run("load", url, "-o", "whole.jpg")
        #expect(try Data(contentsOf: program.file("whole.jpg")) == Fixtures.data("photo.jpg"))
    }

    @Test("an animation is changed frame by frame, and a picture of the same format is not the original")
    func frames() async throws {
        let run = try await program.run(
            "convert", Fixtures.path("animated.webp"), "a.png", "--resize", "10x10", "--filter", "box")
        #expect(run.status == 0, "\(run.errors)")
        let source = try #require(try Image(contentsOf: URL(filePath: Fixtures.path("animated.webp"))).animation)
        let found = try #require(try Image(contentsOf: program.file("a.png")).animation)
        try #require(found.frameCount == 3)
        for index in 0..<3 {
            let frame = Image(bitmap: try source.frame(at: index))
            let expected = try #require(
                frame.resized(to: PointSize(width: 10, height: 10), scaleMode: .fill, filter: .box))
            #expect(largestDifference(try found.frame(at: index).bytes, try pixels(expected)) <= 2, "\(index)")
            #expect(found.duration(at: index) == source.duration(at: index))
        }
        _ = try await program.run("convert", Self.photo, "b.jpg", "--flip", "horizontal")
        #expect(try Data(contentsOf: program.file("b.jpg")) != Fixtures.data("photo.jpg"))
    }

    @Test("an animation is trimmed to what any of its frames shows", arguments: ["convert", "load"])
    func trimmedFrames(command: String) async throws {
        var gif = GIFBuilder(width: 12, height: 8)
        gif.appendFrame(width: 12, height: 8, indices: Array(repeating: 0, count: 96))
        gif.appendFrame(left: 2, top: 3, width: 1, height: 1, indices: [1])
        gif.appendControl(hundredths: 10, disposal: 2)
        gif.appendFrame(left: 7, top: 5, width: 2, height: 1, indices: [2, 2])
        gif.appendTrailer()
        try gif.data.write(to: program.file("a.gif"))
        let arguments = [command, "a.gif"] + (command == "load" ? ["-o", "b.png"] : ["b.png"])
        let run = try await program.run(arguments + ["--trim", "--pad", "1"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let image = try Image(contentsOf: program.file("b.png"))
        let animation = try #require(image.animation)
        #expect(animation.frameCount == 3 && image.pixelSize == PixelSize(width: 9, height: 5))
        for index in 0..<3 { #expect(try animation.frame(at: index).size == image.pixelSize) }
        // A still format gets the first frame alone, which is black all over.
        let still = arguments.map { $0 == "b.png" ? "b.bmp" : $0 } + ["--trim"]
        #expect(try await program.run(still).status == 0)
        #expect(try Image(contentsOf: program.file("b.bmp")).pixelSize == PixelSize(width: 12, height: 8))
    }

    @Test("16 bits a channel stay in a circle and in rounded corners", arguments: ["--circle", "--round=9"])
    func deepCorners(option: String) async throws {
        let size = PixelSize(width: 40, height: 30)
        let words = (0..<size.area).flatMap { [UInt16($0 * 53), 12_345, 54_321, .max] }
        let bytes = words.withUnsafeBytes { Array($0) }
        let picture = Image(bitmap: try Bitmap(size: size, format: .rgba16Straight, pixels: bytes))
        let file = try PNGCoder().encode(picture, to: .png, options: ImageEncodeOptions())
        try file.write(to: program.file("a.png"))
        let run = try await program.run("convert", "a.png", "b.png", "--deep", option)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let found = try await program.run("info", "b.png", "--json").objects().first
        #expect(found?["bitsPerChannel"] as? Int == 16)
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba16Straight
        let result = try Image(contentsOf: program.file("b.png"), options: options)
        let middle = (result.pixelSize.height / 2 * result.pixelSize.width + result.pixelSize.width / 2) * 4
        let pixel = result.bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)[middle + 1..<middle + 4]) }
        #expect(pixel == [12_345, 54_321, .max])
    }

    @Test("load decodes of a large picture what the first change needs, with the pixels and the report of the others")
    func region() async throws {
        let size = PixelSize(width: 1310, height: 905)
        var numbers: [UInt8] = []
        for index in 0..<size.area {
            numbers += [UInt8(index % 251), UInt8(index / size.width % 256), UInt8(index % 7 * 30), 255]
        }
        let whole = Image(bitmap: try Bitmap(size: size, pixels: numbers))
        let file = try PNGCoder().encode(whole, to: .png, options: ImageEncodeOptions())
        for name in ["a.png", "a@2x.png"] { try file.write(to: program.file(name)) }
        let part = try #require(whole.cropped(to: PointRect(x: 100, y: 50, width: 300, height: 200)))
        let small = try #require(whole.resized(to: PointSize(width: 200, height: 100), scaleMode: .aspectFill))
        let flipped = try #require(part.flipped(horizontal: true, vertical: true))
        let cases: [([String], Image)] = [
            (["--crop", "100,50,300,200"], part), (["--crop", "100,50,300,200", "--flip", "both"], flipped),
            (["--resize", "200x100", "--mode", "aspectFill"], small),
        ]
        for (arguments, expected) in cases {
            for name in ["a.png", "a@2x.png"] {
                let run = try await program.run(["load", name, "-o", "b.png", "--json"] + arguments)
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                let record = try #require(try run.objects().first)
                #expect(record["width"] as? Int == 1310 && record["height"] as? Int == 905)
                #expect(record["format"] as? String == "PNG" && record["bytes"] as? Int == file.count)
                let found = try pixels(Image(contentsOf: program.file("b.png")))
                #expect(largestDifference(found, try pixels(expected)) <= 1, "\(name) \(arguments)")
            }
        }
        let run = try await program.run("load", "a.png", "-o", "c.png", "--crop", "1310,0,5,5")
        #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains("picture of 1310×905 pixels"))
    }

    @Test("a missing overlay is an object with its error for each picture, too", arguments: ["convert", "load"])
    func missingOverlay(command: String) async throws {
        let output = command == "load" ? ["-o", "a.png"] : ["a.png"]
        let run = try await program.run([command, Self.photo] + output + ["--overlay", "none.png", "--json"])
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
        let records = try run.objects()
        #expect(records.count == 1 && records.first?["given"] as? String == Self.photo)
        let error = records.first?["error"] as? [String: Any]
        #expect((error?["message"] as? String)?.contains("none.png: there is no such file") == true)
    }

    @Test("what is impossible with a picture is one error that names the option, and nothing is written")
    func impossible() async throws {
        for (option, value, reason) in [
            ("--crop", "200,0,10,10", "nothing of it is there; begin within 0,0 to 199,149"),
            ("--crop", "-10,0,10,10", "nothing of it is there; begin within 0,0 to 199,149"),
            ("--resize", "65535x65535", "the result would have more than 268435456 pixels; choose smaller numbers"),
        ] {
            let run = try await program.run("convert", Self.photo, "a.png", "--sepia", option, value)
            #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
            let problem = "\(option) \(value) is impossible with a picture of 200×150 pixels: \(reason)"
            #expect(run.errors.contains(problem), "\(run.errors)")
        }
        let overlay = try await program.run("load", Self.photo, "-o", "a.png", "--overlay", "none.png@top")
        #expect(overlay.status == 1 && overlay.errors.contains("none.png: there is no such file"))
        #expect(program.files.isEmpty)
    }

    @Test(
        "each wrong value is refused with what to write",
        arguments: [
            ("--resize", "0x5", "1 to 65535"), ("--resize", "300", "300x200"), ("--resize", "99999999999x1", "65535"),
            ("--mode", "cover", "fill, aspectFit or aspectFill"), ("--filter", "lanczos", "did you mean lanczos3?"),
            ("--crop", "1,2,3", "10,20,300,200"), ("--crop", "1,2,0,4", "10,20,300,200"),
            ("--crop", "1,2,-3,4", "10,20,300,200"), ("--crop", "--1,2,3,4", "10,20,300,200"),
            ("--crop", "-,2,3,4", "10,20,300,200"), ("--crop", "1,2,3,4,5", "10,20,300,200"),
            ("--crop", "1,,3,4", "10,20,300,200"), ("--round", "-1", "a radius"), ("--round", "nan", "a radius"),
            ("--round", "5:middle", "top-left, top-right"), ("--round", "5:", "top-left, top-right"),
            ("--rotate", "nan", "-36000 to 36000"), ("--rotate", "inf", "-36000"), ("--rotate", "--5", "-36000"),
            ("--blur", "-1", "0 to 10000"), ("--blur", "1e9", "0 to 10000"), ("--tint", "red", "#ff0000"),
            ("--tint", "#ff00", "#ff0000"), ("--tint", "#ff0000:wet", "as --help lists"), ("--tint", "", "#ff0000"),
            ("--brightness", "2", "-1 to 1"), ("--saturation", "-1", "0 to 100"), ("--gamma", "0", "0.01 to 100"),
            ("--posterize", "1", "2 to 256"), ("--overlay", "a.png@botom", "bottom-right"),
            ("--overlay", "a.png@top:2", "from 0 to 1"), ("--overlay", "@top", "such as logo.png"),
            ("--overlay", "-", "such as logo.png"), ("--pad", "1,2", "one number or four"),
            ("--pad", "1:blue", "a colour"), ("--flip", "left", "horizontal, vertical or both"),
            ("--vignette", "1.1", "0 to 1"),
        ])
    func wrongValues(option: String, value: String, range: String) async throws {
        let run = try await program.run("convert", Self.photo, "a.png", "\(option)=\(value)")
        #expect(run.status == 2 && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("\(option) \(value)") && run.errors.contains(range), "\(run.errors)")
    }

    @Test(
        "what goes together with something that is missing is refused",
        arguments: [
            (["convert", "a", "b.png", "--mode", "fill"], "add --resize WxH"),
            (["convert", "a", "b.png", "--filter", "box"], "add --resize WxH"),
            (["convert", "a", "b.png", "--linear-light"], "add --resize WxH"),
            (["convert", "a", "b.png", "--keep-size"], "add --rotate DEGREES"),
            (["load", "a", "--sepia"], "add -o FILE"),
            (["load", "a", "-o", "b.pam", "--raw", "--sepia"], "--raw writes the pixels as stored"),
        ])
    func missing(arguments: [String], complaint: String) async throws {
        let run = try await program.run(arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(complaint), "\(run.errors)")
    }
}
