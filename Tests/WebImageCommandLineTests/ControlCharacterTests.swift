import Foundation
import Testing
import WebImage
import WebImageCommandLine
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: control characters", .timeLimit(.minutes(5)))
struct ControlCharacterTests {
    private static let sequence = "\u{1B}]0;title\u{7}\u{9B}31m\u{7F}\u{202E}"
    static let commands = [
        ["load", "ADDRESS"], ["load", "ADDRESS", "--trace"], ["show", "ADDRESS"], ["info", "ADDRESS"],
        ["hash", "color", "ADDRESS"], ["convert", "ADDRESS", "a.webp"], ["frames", "ADDRESS", "-o", "out/"],
        ["play", "ADDRESS"], ["compare", "other.png", "ADDRESS"],
    ]

    private let program: Program

    init() throws {
        program = try Program()
        try Fixtures.data("photo-small.png").write(to: program.file("other.png"))
    }

    private func run(_ command: [String], _ address: String, _ options: [String] = []) async throws -> Program.Ending {
        try await program.run(command.map { $0 == "ADDRESS" ? address : $0 } + options)
    }

    /// Whether a terminal shows all of the text as it is.
    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n"
                || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                    scalar.properties.generalCategory)
        }
    }

    @Test("of a server's redirect none reaches the terminal, with --json either", arguments: commands)
    func redirect(command: [String]) async throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { _ in .redirect(to: "gopher://" + Self.sequence) }
        for json in [[], ["--json"]] {
            let run = try await run(command, origin.url("/a.png").absoluteString, json)
            #expect(
                run.status != 0 && run.errors.contains("gopher") && isSafe(run.errors), "\(run.errors.debugDescription)"
            )
            #expect(isSafe(run.text), "\(run.text.debugDescription)")
        }
    }

    @Test("of a name none does, and a line is a line", arguments: commands)
    func name(command: [String]) async throws {
        let run = try await run(command, "a\nwebimage: b\(Self.sequence).png")
        #expect(run.status != 0 && isSafe(run.errors), "\(run.errors.debugDescription)")
        #expect(!run.errorLines.contains { $0.hasPrefix("webimage: b") }, "\(run.errors.debugDescription)")
    }

    @Test("JSON escapes what an encoder may leave, and keeps all else")
    func json() throws {
        let text = "é 日 👍 \u{7F}\u{85}\u{202E}\u{2028}\u{E0001} \n\u{1B}"
        let line = JSON.line(["a": text])
        #expect(isSafe(line) && !line.contains("\n"), "\(line.debugDescription)")
        #expect(line.contains("é 日 👍"))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) == ["a": text])
    }
}
