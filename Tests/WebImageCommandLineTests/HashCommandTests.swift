import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: hash", .timeLimit(.minutes(5)))
struct HashCommandTests {
    private let program: Program
    private let photo = Fixtures.path("photo.jpg")

    init() throws { program = try Program() }

    /// The picture as the command decodes it.
    private func image() throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
        return try ImageCodersManager.shared.decode(try Fixtures.data("photo.jpg"), options: options)
    }

    @Test("thumb and blur print the hash and the name, and with --json an object for each picture")
    func hashes() async throws {
        let (thumb, blur) = (try ThumbHash(of: image().bitmap).base64, try BlurHash(of: image().bitmap).string)
        let words = try await program.run("hash", "thumb", photo)
        #expect(words.status == 0 && words.lines == ["\(thumb)  \(photo)"], "\(words.errors)")
        #expect(try await program.run("hash", "blur", photo).lines == ["\(blur)  \(photo)"])
        let run = try await program.run("hash", "blur", photo, Fixtures.path("animated.gif"), "--json")
        let objects = try run.objects()
        #expect(run.status == 0 && objects.count == 2)
        #expect(objects.first?["hash"] as? String == blur && objects.first?["kind"] as? String == "blur")
        #expect(objects.first?["url"] as? String == URL(filePath: photo).absoluteString)
        #expect(objects.first?["given"] as? String == photo && objects.first?["palette"] == nil)
    }

    @Test("--components sets the waves of blur")
    func components() async throws {
        let expected = try BlurHash(of: image().bitmap, columns: 7, rows: 2).string
        #expect(try await program.run("hash", "blur", photo, "--components", "7x2").lines == ["\(expected)  \(photo)"])
    }

    @Test("color prints the mean colour and the palette")
    func colors() async throws {
        let pixels = [[UInt8]](repeating: [255, 0, 0, 255], count: 6) + [[UInt8]](repeating: [0, 0, 255, 0], count: 2)
        let bitmap = try Bitmap(
            size: PixelSize(width: 4, height: 2), format: .rgba8Straight, pixels: pixels.flatMap(\.self))
        let coder = PNGCoder()
        try coder.encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions()).write(
            to: program.file("a.png"))
        let words = try await program.run("hash", "color", "a.png")
        #expect(words.status == 0 && words.lines == ["#ff0000bf  #ff0000 100%  a.png"], "\(words.text)\(words.errors)")
        let object = try #require(try await program.run("hash", "color", "a.png", "--json").objects().first)
        #expect(object["average"] as? String == "#ff0000bf" && object["hash"] == nil)
        let palette = try #require(object["palette"] as? [[String: Any]])
        #expect(
            palette.count == 1 && palette[0]["color"] as? String == "#ff0000" && palette[0]["share"] as? Double == 1)
        let few = try await program.run("hash", "color", photo, "--colors", "2", "--json").objects().first
        #expect((few?["palette"] as? [Any])?.count == 2)
    }

    @Test("hash reads from standard input and from lists")
    func sources() async throws {
        let expected = try ThumbHash(of: image().bitmap).base64
        let piped = try await program.run(script: "cat \"$1\" | \"$0\" hash thumb -", photo)
        #expect(piped.lines == ["\(expected)  -"], "\(piped.errors)")
        try Data("\(photo)\n".utf8).write(to: program.file("list.txt"))
        #expect(try await program.run("hash", "thumb", "--from", "list.txt").lines == ["\(expected)  \(photo)"])
    }

    @Test("a picture that fails is one error, and those after it are hashed")
    func failures() async throws {
        try Data("no picture".utf8).write(to: program.file("no.jpg"))
        let run = try await program.run("hash", "thumb", "none.jpg", "no.jpg", photo)
        #expect(run.status == 1 && run.lines.count == 1 && run.errorLines.count == 2, "\(run.errors)")
        #expect(run.errorLines[0].contains("none.jpg: ") && run.errorLines[1].contains("no.jpg: "))
        let object = try await program.run("hash", "color", "none.jpg", "--json").objects().first
        #expect((object?["error"] as? [String: Any])?["code"] as? Int == 3020)
    }

    @Test(
        "a wrong command line is one line that says what to write",
        arguments: [
            ([], "thumb, blur or color"), (["thum", "a.jpg"], "did you mean thumb?"),
            (["a.jpg"], "before the pictures"),
            (["thumb"], "no picture"), (["thumb", "a.jpg", "--components", "4x3"], "those of blur"),
            (["blur", "a.jpg", "--colors", "3"], "palette of color"),
            (["blur", "a.jpg", "--components", "0x3"], "1 to 9"),
            (["blur", "a.jpg", "--components", "4x10"], "1 to 9"), (["blur", "a.jpg", "--components", "4"], "1 to 9"),
            (["blur", "a.jpg", "--components", "+4x3"], "1 to 9"), (["color", "a.jpg", "--colors", "33"], "1 to 32"),
        ] as [([String], String)])
    func refusals(arguments: [String], says: String) async throws {
        let run = try await program.run(["hash"] + arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
    }
}
