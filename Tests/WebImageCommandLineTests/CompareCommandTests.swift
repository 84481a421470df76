import Foundation
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Command line: compare", .timeLimit(.minutes(5)))
struct CompareCommandTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let photo = Fixtures.path("photo.jpg")

    /// Writes the photo with one pixel changed: 10 less red, 3 more blue.
    private func writeChanged(_ name: String) throws {
        let bitmap = try Image(contentsOf: URL(filePath: Self.photo)).bitmap
        var pixels = bitmap.bytes
        let place = 4 * (70 * bitmap.size.width + 50)
        try #require(pixels[place] >= 10 && pixels[place + 2] <= 252)
        pixels[place] -= 10
        pixels[place + 2] += 3
        let image = Image(bitmap: try Bitmap(size: bitmap.size, pixels: pixels))
        try PNGCoder().encode(image, to: .png, options: ImageEncodeOptions()).write(to: program.file(name))
    }

    @Test("the same pixels in another format differ by nothing")
    func same() async throws {
        #expect(try await program.run("convert", Self.photo, "a.png").status == 0)
        let run = try await program.run(
            "compare", Self.photo, "a.png", "--psnr", "200", "--ssim", "1", "--threshold", "0")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.first == "\(Self.photo) and a.png")
        for row in [
            "PSNR                infinite (the same pixels)", "SSIM                1.00000",
            "largest difference  0 of 255", "pixels that differ  0 of 30000",
        ] {
            #expect(run.text.contains(row), "\(run.text)")
        }
        let object = try #require(
            try await program.run("compare", Self.photo, "a.png", "--json").objects().first)
        #expect(object["psnr"] == nil && object["differentPixels"] as? Int == 0 && object["missed"] == nil)
    }

    @Test("what differs is measured, and drawn where it differs")
    func differences() async throws {
        try writeChanged("b.png")
        let run = try await program.run("compare", "--json", Self.photo, "b.png", "-o", "out/d.png", "--amplify", "9")
        #expect(run.status == 0, "\(run.errors)")
        let object = try #require(try run.objects().first)
        let largest = try #require(object["largestDifference"] as? [String: Int])
        #expect(largest == ["red": 10, "green": 0, "blue": 3, "alpha": 0])
        #expect(object["differentPixels"] as? Int == 1 && object["bits"] as? Int == 8)
        let psnr = try #require(object["psnr"] as? Double)
        let expected: Double = 10 * log10(255 * 255 * 90_000 / 109)
        #expect(abs(psnr - expected) < 1e-6)
        #expect(((object["second"] as? [String: Any])?["given"] as? String) == "b.png")
        let picture = try Image(contentsOf: program.file("out/d.png")).bitmap
        #expect(picture.pixel(50, 70) == [90, 0, 27, 255])
        #expect(object["bytesWritten"] as? Int == (try Data(contentsOf: program.file("out/d.png"))).count)
        #expect(picture.bytes.count { $0 != 0 } == 30_000 + 2, "black elsewhere, and opaque")
    }

    @Test("a limit that is not kept ends the program with 1 and says which")
    func limits() async throws {
        try writeChanged("b.png")
        for (option, value, complaint) in [
            ("--psnr", "80", "is less than --psnr 80"), ("--ssim", "1", "is less than --ssim 1"),
            ("--threshold", "9", "a difference of 10 is more than --threshold 9"),
        ] {
            let run = try await program.run("compare", Self.photo, "b.png", option, value, "--json")
            #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains(complaint), "\(run.errors)")
            #expect(try run.objects().first?["missed"] as? [String] == [String(option.dropFirst(2))])
        }
        let kept = try await program.run(
            "compare", Self.photo, "b.png", "--psnr", "70", "--ssim", "0.99", "--threshold", "10", "-q")
        #expect(kept.status == 0 && kept.output.isEmpty && kept.errors.isEmpty, "\(kept.errors)")
    }

    @Test("16 bits are compared in 16 bits")
    func deep() async throws {
        let pixels: [UInt16] = [1000, 2000, 3000, 65_535]
        for (name, change) in [("a.png", 0), ("b.png", 1)] {
            let bytes = pixels.enumerated().flatMap { index, value in
                withUnsafeBytes(of: index == 0 ? value + UInt16(change) : value) { Array($0) }
            }
            let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), format: .rgba16Straight, pixels: bytes)
            let data = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
            try data.write(to: program.file(name))
        }
        let run = try await program.run("compare", "--json", "a.png", "b.png")
        let object = try #require(try run.objects().first)
        #expect(object["bits"] as? Int == 16 && object["ssim"] == nil)
        #expect((object["largestDifference"] as? [String: Int])?["red"] == 1)
    }

    @Test("different sizes, missing files and what is no picture are one error each, by name")
    func failures() async throws {
        try Data("no".utf8).write(to: program.file("no.png"))
        for (other, reason) in [
            (Fixtures.path("photo-small.png"), "cannot be compared; resize one of them"), ("none.png", "none.png: "),
            ("no.png", "no.png: "),
        ] {
            let run = try await program.run("compare", Self.photo, other, "--json", "-o", "d.png")
            #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
            #expect(try run.objects().first?["error"] != nil)
        }
        #expect(program.files == ["no.png"])
    }

    @Test(
        "a wrong command line is refused with what to write",
        arguments: [
            (["a.png"], "1 picture; give the two to compare"), (["a", "b", "c"], "3 pictures"),
            (["-", "-"], "standard input is read once"), (["a", "b", "--amplify", "2"], "add -o FILE"),
            (["a", "b", "-o", "d"], "names no format; add --format"), (["a", "b", "-o", "."], "is a directory"),
            (["a", "b", "--amplify", "0", "-o", "d.png"], "1 to 255"), (["a", "b", "--psnr", "-1"], "0 to 200"),
            (["a", "b", "--ssim", "2"], "0 to 1"), (["a", "b", "--threshold", "1.5"], "0 to 65535"),
            (["a", "b", "-f", "-n"], "do not go together"),
        ])
    func usage(arguments: [String], complaint: String) async throws {
        let run = try await program.run(["compare"] + arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(complaint), "\(run.errors)")
    }

    @Test("one picture may come from standard input, and the picture of differences go to standard output")
    func pipes() async throws {
        let run = try await program.run(
            script: "\"$0\" compare - \"$1\" -o - --format png < \"$1\" > d.png; \"$0\" info --json d.png", Self.photo)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("PSNR"))
        #expect(try run.objects().first?["width"] as? Int == 200)
        let over = try await program.run("compare", Self.photo, "d.png", "-o", "d.png")
        #expect(over.status == 2 && over.errors.contains("would overwrite a picture that is read"))
    }
}
