import Foundation
import Testing
import WebImage
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: show", .timeLimit(.minutes(5)))
struct ShowCommandTests {
    private let program: Program

    init() throws { program = try Program() }

    private static let escape = "\u{1B}"

    /// Writes a picture whose left half is black and whose right half is white.
    private func writeHalves(_ name: String, side: Int = 8) throws {
        let row = (0..<side).flatMap { x in x < side / 2 ? [0, 0, 0, 255] : [255, 255, 255, 255] as [UInt8] }
        let pixels = (0..<side).flatMap { _ in row }
        try write(try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels), name)
    }

    private func write(_ bitmap: Bitmap, _ name: String) throws {
        let data = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
        try data.write(to: program.file(name))
    }

    /// The output of a run on a terminal of 80 columns and 24 rows.
    private func onTerminal(
        _ arguments: [String], columns: UInt16 = 80, environment: [String: String]
    ) async throws -> String {
        let terminal = try Terminal()
        terminal.resize(columns: columns)
        async let text = terminal.read(until: "the end")
        let run = try await program.run(
            ["-c", "\"$0\" show \"$@\"; echo the end", Program.executable.path] + arguments,
            by: URL(filePath: "/bin/sh"), output: terminal.program, environment: environment)
        #expect(run.errors.isEmpty)
        return await text
    }

    // MARK: - Without a terminal

    @Test("without a terminal a picture is characters without control sequences, and a pixel at most one of them wide")
    func characters() async throws {
        try writeHalves("a.png")
        let run = try await program.run("show", "a.png")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.text == String(repeating: "    ████\n", count: 4))
        try writeHalves("large.png", side: 1000)
        let large = try await program.run("show", "large.png")
        #expect(
            large.lines
                == Array(
                    repeating: "\(String(repeating: " ", count: 40))\(String(repeating: "█", count: 40))", count: 40))
    }

    @Test("the ways to fit: whole and enlarged, cut, stretched, or whole and never enlarged")
    func fit() async throws {
        try writeHalves("a.png")
        func lines(_ fit: String, _ name: String = "a.png") async throws -> [String] {
            try await program.run("show", name, "--size", "20x5", "--fit", fit).lines
        }
        #expect(try await lines("scale-down") == Array(repeating: "    ████", count: 4))
        // Enlarged, the edge is soft.
        for (fit, width) in [("contain", 10), ("fill", 20), ("cover", 20)] {
            let found = try await lines(fit)
            #expect(found.count == 5 && found.allSatisfy { $0.count == width }, "\(fit)")
            let (black, white) = (
                String(repeating: " ", count: width / 2 - 2), String(repeating: "█", count: width / 2 - 2)
            )
            #expect(found.allSatisfy { $0.hasPrefix(black) && $0.hasSuffix(white) }, "\(fit)")
        }
        let stripe = (0..<64).flatMap { $0 < 16 ? [255, 255, 255, 255] : [0, 0, 0, 255] as [UInt8] }
        try write(try Bitmap(size: PixelSize(width: 8, height: 8), pixels: stripe), "stripe.png")
        #expect(try await lines("fill", "stripe.png").first == String(repeating: "█", count: 20))
        #expect(try await lines("cover", "stripe.png").allSatisfy { !$0.contains("█") }, "its upper quarter is cut")
    }

    @Test("a grid has the pictures in their order, with the names below")
    func grid() async throws {
        for name in ["a.png", "b.png", "c.png"] { try writeHalves(name) }
        let run = try await program.run("show", "a.png", "b.png", "c.png", "--across", "2", "--size", "8x4")
        #expect(run.status == 0, "\(run.errors)")
        let pair = "    ████      ████\n"
        let expected =
            String(repeating: pair, count: 4) + " a.png     b.png\n\n" + String(repeating: "    ████\n", count: 4)
            + " c.png\n\n"
        #expect(run.text == expected)
        let quiet = try await program.run("show", "a.png", "b.png", "--size", "8x4", "-q")
        #expect(quiet.text == String(repeating: pair, count: 4))
    }

    @Test("a picture that fails is told, the others are shown, and no control sequence of a name reaches the terminal")
    func failures() async throws {
        let names = ["a\(Self.escape)[31mb.png", "c\u{202E}d\u{7}.png"]
        for name in names { try writeHalves(name) }
        try Data("no".utf8).write(to: program.file("no\(Self.escape)]0;x.png"))
        let run = try await program.run(
            "show", names[0], "no\(Self.escape)]0;x.png", "none.png", names[1], "--size", "20x4")
        #expect(run.status == 1 && run.errorLines.count == 2, "\(run.errors)")
        #expect(run.errors.contains("none.png: there is no such file"))
        for text in [run.text, run.errors] {
            #expect(!text.contains(Self.escape) && !text.contains("\u{7}") && !text.contains("\u{202E}"))
        }
        #expect(run.text.contains("a\u{FFFD}[31mb.png") && run.text.contains("c\u{FFFD}d\u{FFFD}.png"))
        #expect(run.lines.first?.hasPrefix("          ████                  ████ ") == true)
    }

    @Test("one object a line with --json: the fields of load, and the drawing")
    func json() async throws {
        try writeHalves("a.png")
        let plain = try await program.run("show", "a.png", "--size", "4x")
        let run = try await program.run("show", "--json", "a.png", "none.png", "--size", "4x")
        let objects = try run.objects()
        try #require(run.status == 1 && objects.count == 2)
        #expect(objects[0]["drawing"] as? String == plain.text && !plain.text.isEmpty)
        #expect(objects[0]["columns"] as? Int == 4 && objects[0]["rows"] as? Int == 2)
        #expect(objects[0]["source"] as? String == "file" && objects[0]["width"] as? Int == 8)
        #expect(objects[1]["error"] != nil && objects[1]["drawing"] == nil)
    }

    @Test("pictures go through the cache of load, and one may come from standard input")
    func cache() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let url = origin.url("/a.jpg").absoluteString
        for source in ["network", "disk"] {
            let run = try await program.run("show", "--json", url)
            #expect(try run.objects().first?["source"] as? String == source)
        }
        #expect(try await program.run("load", "--json", url).objects().first?["source"] as? String == "disk")
        try writeHalves("a.png")
        let piped = try await program.run(script: "\"$0\" show - < a.png")
        #expect(piped.text == String(repeating: "    ████\n", count: 4))
    }

    // MARK: - What terminals can

    @Test(
        "a terminal gets what it can: pixels by its own protocol, characters in its colours, or plain ones",
        arguments: [
            (["TERM": "xterm-kitty"], "\(escape)_G"), (["TERM": "foot"], "\(escape)P"),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], "\(escape)]1337;File="),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], "\(escape)[38;2;"),
            (["TERM": "screen-256color"], "\(escape)[38;5;"), (["TERM": "dumb"], "█"),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], "█"),
        ])
    func terminals(environment: [String: String], beginning: String) async throws {
        try writeHalves("a.png")
        let text = try await onTerminal(["a.png"], environment: environment)
        #expect(text.contains(beginning), "\(text.debugDescription)")
        let isPlain = !beginning.hasPrefix(Self.escape)
        #expect(text.contains(Self.escape) != isPlain)
        let asked = try await onTerminal(["a.png", "--format", "sixel"], environment: environment)
        #expect(asked.contains("\(Self.escape)P"))
        let plain = try await onTerminal(
            ["a.png", "--format", "characters", "--colors", "none"], environment: environment)
        #expect(!plain.contains(Self.escape) && plain.contains("████"))
    }

    @Test("a grid is as wide as the terminal, and a picture leaves the line for the next command")
    func terminalSize() async throws {
        for name in ["a.png", "b.png", "c.png", "d.png"] { try writeHalves(name, side: 400) }
        let environment = ["TERM": "dumb"]
        let alone = try await onTerminal(["a.png"], columns: 60, environment: environment)
        #expect(alone.split(separator: "\r\n").dropLast().count == 23)
        for (columns, names) in [(80, "a.png                      b.png                      c.png"), (30, "a.png")] {
            let grid = try await onTerminal(
                ["a.png", "b.png", "c.png", "d.png"], columns: UInt16(columns), environment: environment)
            let lines = grid.split(separator: "\r\n").map(String.init)
            #expect(lines.allSatisfy { $0.count <= columns })
            let first = try #require(lines.first { $0.contains("a.png") })
            #expect(first.contains("b.png") == (columns == 80) && first.trimmingCharacters(in: .whitespaces) == names)
        }
    }

    @Test("kitty gets the pixels as they are")
    func pixels() async throws {
        try writeHalves("a.png", side: 20)
        let run = try await program.run("show", "a.png", "--format", "kitty", "--size", "2x1")
        #expect(run.text.contains("s=20,v=20,c=2,r=1"))
        let payloads = run.text.split(separator: Self.escape).compactMap { part -> String? in
            part.hasPrefix("_G") ? part.split(separator: ";", maxSplits: 1).dropFirst().first.map(String.init) : nil
        }
        let bytes = try payloads.flatMap { [UInt8](try #require(Data(base64Encoded: $0))) }
        let expected = try Image(contentsOf: program.file("a.png")).bitmap.bytes
        // libchafa 1.12 writes the last bits of some pieces wrongly, which are those of alpha.
        #expect(largestDifference(bytes, expected) <= 12)
        #expect(bytes.indices.allSatisfy { $0 % 4 == 3 || bytes[$0] == expected[$0] })
    }

    // MARK: - Wrong command lines

    @Test(
        "a wrong command line is refused with what to write",
        arguments: [
            ([], "no picture"), (["a", "--size", "80"], "80x24, 80x or x24"), (["a", "--size", "x"], "80x24"),
            (["a", "--size", "501x"], "1 to 500"), (["a", "--size", "0x5"], "1 to 500"),
            (["a", "--size", "-1x5"], "1 to 500"), (["a", "--size", "99999999999999999999x"], "1 to 500"),
            (["a", "--size", "x201"], "1 to 200"), (["a", "--across", "0"], "1 to 50"),
            (["a", "--fit", "wide"], "contain"),
            (["a", "--format", "png"], "characters, sixel, kitty or iterm"),
            (["a", "--colors", "9"], "none, 8, 16, 256 or all"),
            (["a", "--across", "50", "--size", "100x"], "1000 is the most"),
        ])
    func usage(arguments: [String], complaint: String) async throws {
        let run = try await program.run(["show"] + arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(complaint), "\(run.errors)")
    }
}
