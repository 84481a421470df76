import Foundation
import Glibc
import Testing
import WebImage
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

/// `webimage transition`, which runs `webimage-transition`: there where GTK is, and without any display.
@Suite("Command line: transition", .needsTransitionProgram, .timeLimit(.minutes(5)))
struct TransitionCommandTests {
    private let program: Program
    private let photo = Fixtures.path("photo.jpg")
    private let translucent = Fixtures.path("translucent.png")

    init() throws { program = try Program() }

    private func draw(_ options: String...) async throws -> Program.Ending {
        try await program.run(["transition", "--from", photo, "--to", translucent] + options)
    }

    /// The properties of a written file, by `webimage info`.
    private func properties(_ name: String) async throws -> [String: Any] {
        try #require(try await program.run("info", "--json", name).objects().first)
    }

    private func bitmap(_ path: String) throws -> Bitmap {
        let data = try Data(contentsOf: URL(filePath: path))
        return try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions()).bitmap
    }

    @Test("TRN-6 TRN-7 every effect becomes an animation, without a display", arguments: TransitionEffect.all)
    func animations(effect: TransitionEffect) async throws {
        let run = try await draw(
            "-o", "out.webp", "--effect", effect.name, "--duration", "0.4", "--fps", "10", "--size", "60x40")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text.hasPrefix("\(effect.name)  5 frames  60x40  "))
        #expect(run.text.hasSuffix("  → out.webp\n"))
        let found = try await properties("out.webp")
        #expect(found["format"] as? String == "WebP" && found["frames"] as? Int == 5)
        #expect(found["width"] as? Int == 60 && found["height"] as? Int == 40)
        #expect(found["loopCount"] as? Int == 0)
        #expect(found["frameDurations"] as? [Double] == [100, 100, 100, 100, 100])
        #expect(program.files == ["out.webp"])
    }

    @Test(
        "the first frame is exactly the content of the view, the last one the new picture",
        arguments: TransitionEffect.all
    )
    func ends(effect: TransitionEffect) async throws {
        let size = try bitmap(photo).size
        let run = try await program.run(
            "transition", "--from", photo, "--to", Fixtures.path("photo-small.png"), "--effect", effect.name, "-o",
            "frames/", "--duration", "0.1", "--fps", "30", "--size", "\(size.width)x\(size.height)", "--fit", "fill")
        #expect(run.status == 0, "\(run.errors)")
        #expect(program.files == ["frames"] + (0...3).map { "frames/000\($0).png" })
        let first = try bitmap(program.file("frames/0000.png").path)
        #expect(first.bytes == (try bitmap(photo).bytes))
        // The new picture is enlarged, and renderers differ in that.
        let last = try bitmap(program.file("frames/0003.png").path)
        let resized = try #require(
            Image(bitmap: try bitmap(Fixtures.path("photo-small.png"))).resized(
                to: PointSize(width: Double(size.width), height: Double(size.height)), scaleMode: .fill))
        #expect(last.size == size && last.meanDifference(from: resized.bitmap) < 6)
    }

    @Test("translucent pixels stay so, and pixels without a picture are transparent")
    func translucency() async throws {
        let size = try bitmap(translucent).size
        let run = try await draw("-o", "f-%d.png", "--duration", "0.1", "--fps", "10", "--effect", "pushFromLeft")
        #expect(run.status == 0, "\(run.errors)")
        let last = try bitmap(program.file("f-1.png").path)
        let expected = try bitmap(translucent)
        #expect(last.size == size && !last.isOpaque)
        #expect(peakSignalToNoise(last.bytes, expected.bytes) > 45)
        let wide = try await draw("-o", "w-%02d.png", "--duration", "0.01", "--size", "400x20", "--scale", "2")
        #expect(wide.status == 0, "\(wide.errors)")
        let frame = try bitmap(program.file("w-00.png").path)
        #expect(frame.size == PixelSize(width: 800, height: 40))
        #expect(frame.mean(x: 0..<100, y: 0..<40) == [0, 0, 0, 0])
        #expect(frame.mean(x: 390..<410, y: 0..<40)[3] == 255)
    }

    @Test("a picture alone comes into an empty view, or goes out of it", arguments: ["--from", "--to"])
    func alone(side: String) async throws {
        let run = try await program.run(
            "transition", side, photo, "-o", "%d.png", "--fps", "10", "--duration", "0.2", "--effect", "curlUp")
        #expect(run.status == 0, "\(run.errors)")
        let empty = try bitmap(program.file(side == "--from" ? "2.png" : "0.png").path)
        #expect(empty.bytes.allSatisfy { $0 == 0 })
        let full = try bitmap(program.file(side == "--from" ? "0.png" : "2.png").path)
        #expect(full.bytes == (try bitmap(photo).bytes))
    }

    @Test("times add up exactly, both ends stay as long as asked, and the numbers of frames are right")
    func times() async throws {
        _ = try await draw("-o", "a.webp", "--duration", "0.1", "--fps", "60", "--hold", "0.5", "--size", "20x20")
        let durations = try #require(try await properties("a.webp")["frameDurations"] as? [Double])
        #expect(durations == [517, 16, 17, 17, 16, 17, 517])
        #expect(durations.reduce(0, +) == 1117)
        _ = try await draw("-o", "b.webp", "--duration", "0.01", "--fps", "1", "--size", "20x20")
        #expect(try await properties("b.webp")["frames"] as? Int == 2)
    }

    @Test(
        "curves: the frame in the middle is where the curve says",
        arguments: [
            ("linear", 50), ("ease-in-out", 50), ("ease-in", 32), ("ease-out", 68), ("ease", 80), ("0,0,1,1", 50),
            ("0.5,0,1,0.5", 16), ("spring:1", 94),
        ])
    func timing(curve: String, percent: Int) async throws {
        let run = try await program.run(
            "transition", "--to", photo, "-o", "%d.png", "--effect", "pushFromLeft", "--size", "100x10", "--fit",
            "fill", "--duration", "0.2", "--fps", "10", "--timing", curve)
        #expect(run.status == 0, "\(run.errors)")
        let middle = try bitmap(program.file("1.png").path)
        let covered = (0..<100).count { middle.mean(x: $0..<($0 + 1), y: 0..<10)[3] > 127 }
        #expect(abs(covered - percent) <= 1)
    }

    @Test("JSON has an object with all created files, or the error")
    func json() async throws {
        let run = try await draw(
            "-o", "x.webp", "--json", "--effect", "zoom", "--size", "30x20", "--fps", "10", "--duration", "0.3")
        let object = try #require(try run.objects().first)
        #expect(object["effect"] as? String == "zoom" && object["frames"] as? Int == 4)
        #expect(object["width"] as? Int == 30 && object["height"] as? Int == 20)
        #expect(object["output"] as? String == "x.webp")
        #expect(object["bytes"] as? Int == (try Data(contentsOf: program.file("x.webp")).count))
        let failure = try await program.run("transition", "--from", "none.png", "-o", "y.webp", "--json")
        let error = try #require(try failure.objects().first?["error"] as? [String: Any])
        #expect(error["code"] as? Int == WebImageError.Code.fileNotFound.rawValue)
        #expect(failure.status == 1)
    }

    @Test("an animation can be piped")
    func standardOutput() async throws {
        let run = try await draw("-o", "-", "--size", "20x20", "--fps", "5")
        #expect(run.status == 0)
        #expect(ImageFormat(sniffing: run.output) == .webP)
        #expect(run.errorLines.count == 1 && run.errors.contains(" → -"))
    }

    @Test("pictures may come from all sources of webimage load")
    func addresses() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let run = try await program.run(
            "transition", "--from", origin.url("/a.jpg").absoluteString, "--to", photo, "-o", "a.webp", "--size",
            "20x20")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: program.cache.path), "nothing is cached")
    }

    @Test("fade is crossDissolve, and an effect with a mistake is found", .needsTransitionProgram)
    func names() async throws {
        let photo = Fixtures.path("photo.jpg")
        let run = try await program.run(
            "transition", "--to", photo, "--effect", "fade", "--size", "9x9", "-o", "a.webp", "--json")
        #expect(try run.objects().first?["effect"] as? String == "crossDissolve")
        let wrong = try await program.run("transition", "--to", photo, "--effect", "crosdissolve", "-o", "b.webp")
        #expect(wrong.status == 2 && wrong.errors.contains("did you mean crossDissolve?"), "\(wrong.errors)")
    }

    @Test("--no-clobber leaves what exists, --force writes over an input", .needsTransitionProgram)
    func existing() async throws {
        let mine = Data("mine".utf8)
        for name in ["a.webp", "0001.png"] { try mine.write(to: program.file(name)) }
        let usual = ["transition", "--to", Fixtures.path("photo.jpg"), "--size", "9x9", "--duration", "0.1"]
        let kept = try await program.run(usual + ["-o", "a.webp", "-n"])
        #expect(kept.status == 0 && kept.text == "kept  a.webp\n", "\(kept.errors)")
        #expect(try Data(contentsOf: program.file("a.webp")) == mine)
        let frames = try await program.run(usual + ["-o", ".", "-n"])
        #expect(frames.status == 0 && program.files.contains("0002.png"), "\(frames.errors)")
        #expect(try Data(contentsOf: program.file("0001.png")) == mine)
        try Fixtures.data("photo.jpg").write(to: program.file("b.webp"))
        let forced = try await program.run(
            "transition", "--from", "b.webp", "--size", "9x9", "-o", "b.webp", "--force")
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try ImageFormat(sniffing: Data(contentsOf: program.file("b.webp"))) == .webP)
    }

    @Test("both ways to request help print its own")
    func help() async throws {
        let runs = [
            try await program.run("transition", "--help"), try await program.run("transition", "-h"),
            try await program.run("help", "transition"),
        ]
        for run in runs {
            #expect(run.status == 0 && run.text == runs[0].text)
            for effect in TransitionEffect.all { #expect(run.text.contains(effect.name)) }
            #expect(run.lines.allSatisfy { $0.count <= 120 })
        }
        #expect(try await program.run("--help").text.contains("  transition "))
    }
}
