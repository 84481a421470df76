import Foundation
import Testing

@testable import WebImageTestDoubles

/// `--isolation`, and what commands do where `webimage-decoder` is missing.
@Suite("Command line: decoders in processes of their own", .timeLimit(.minutes(5)))
struct IsolationOptionTests {
    private let program: Program

    init() throws {
        program = try Program()
        let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>"#
        try Data(drawing.utf8).write(to: program.file("a.svg"))
        try FileManager.default.copyItem(atPath: Fixtures.path("animated.png"), toPath: program.file("b.png").path)
    }

    /// A copy of the program without others beside it.
    private func lonely() throws -> URL {
        let copy = program.directory.appending(path: "webimage")
        try FileManager.default.copyItem(at: Program.executable, to: copy)
        return copy
    }

    /// Of each command that decodes, one run that reads a file called `name`.
    private static func commands(reading name: String) -> [[String]] {
        [
            ["info", name], ["convert", name, "c.png", "--force"], ["compare", name, name], ["hash", "thumb", name],
            ["show", name], ["load", name, "-o", "d.pam", "--raw", "--force"],
            ["load", name, "-o", "e.png", "--resize", "3x3", "--force"], ["frames", name, "-o", "frames/", "--force"],
        ]
    }

    @Test("without the helper, formats beyond the built-in ones fail with an error that names it, in each command")
    func missing() async throws {
        let lonely = try lonely()
        for arguments in Self.commands(reading: "a.svg") {
            let run = try await program.run(arguments, by: lonely)
            #expect(run.status == 1 && run.errorLines.count == 1, "\(arguments): \(run.errors)")
            #expect(
                run.errors.contains("webimage-decoder, does not start: No such file"), "\(arguments): \(run.errors)")
        }
        #expect(!program.files.contains("c.png") && !program.files.contains("d.pam"))
    }

    @Test("without the helper, built-in formats are as always, and so are all with --isolation none")
    func withoutHelper() async throws {
        let lonely = try lonely()
        for arguments in Self.commands(reading: "b.png") {
            let run = try await program.run(arguments, by: lonely)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            let all = try await program.run(arguments + ["--isolation", "all"], by: lonely)
            #expect(all.status == 1 && all.errors.contains("webimage-decoder"), "\(arguments): \(all.errors)")
        }
        for arguments in Self.commands(reading: "a.svg") {
            let run = try await program.run(arguments + ["--isolation", "none"], by: lonely)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
        }
    }

    @Test("pictures are the same in each kind of process")
    func same() async throws {
        for name in ["a.svg", "b.png"] {
            var results: Set<Data> = []
            for isolation in ["none", "helper", "all"] {
                let arguments = ["convert", name, "c.pam", "--force", "--isolation", isolation]
                let run = try await program.run(arguments)
                #expect(run.status == 0, "\(arguments): \(run.errors)")
                results.insert(try Data(contentsOf: program.file("c.pam")))
            }
            #expect(results.count == 1, "\(name)")
        }
    }

    @Test("another word is refused")
    func refusal() async throws {
        let run = try await program.run("info", "a.svg", "--isolation", "some")
        #expect(run.status == 2 && run.errors.contains("--isolation some: give none, helper or all"), "\(run.errors)")
    }
}
