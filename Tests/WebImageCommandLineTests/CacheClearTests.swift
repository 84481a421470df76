import Foundation
import Glibc
import Testing
import WebImage
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: cache clear", .timeLimit(.minutes(5)))
struct CacheClearTests {
    private let program: Program
    private let origin: LoopbackOrigin

    init() async throws {
        program = try Program()
        origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        _ = try await program.run("load", origin.url("/a.jpg").absoluteString)
    }

    private var count: Int? {
        get async throws { try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int }
    }

    @Test(
        "on a terminal it asks, and only a yes removes",
        arguments: [
            ("y\n", true), (" YES \n", true), ("\n", false), ("n\n", false), ("yesterday\n", false), ("\u{4}", false),
        ])
    func asks(answer: String, removes: Bool) async throws {
        let terminal = try Terminal()
        let run = try await program.run(
            ["cache", "clear"], input: terminal.program, errors: terminal.program
        ) { _ in
            let question = await terminal.read(until: "[y/N] ")
            #expect(question.contains("Remove 1 picture, "), "\(question)")
            terminal.type(answer)
            if !removes { #expect(await terminal.read(until: "removed").contains("nothing was removed")) }
        }
        #expect(run.status == (removes ? 0 : 1))
        #expect(run.text.contains("removed 1 picture") == removes)
        #expect(try await count == (removes ? 0 : 1))
    }

    @Test("Control-C at the question removes nothing")
    func interrupted() async throws {
        let terminal = try Terminal()
        let run = try await program.run(
            ["cache", "clear"], input: terminal.program, errors: terminal.program
        ) { process in
            _ = await terminal.read(until: "[y/N] ")
            kill(process, SIGINT)
        }
        #expect(run.status == 130 && run.output.isEmpty)
        #expect(try await count == 1)
    }

    @Test("with --yes, of an empty cache, and without a terminal it does not ask")
    func doesNotAsk() async throws {
        let terminal = try Terminal()
        let yes = try await program.run(
            ["cache", "clear", "--yes"], input: terminal.program, errors: terminal.program)
        #expect(yes.status == 0 && yes.text.contains("removed 1 picture"))
        let empty = try await program.run(["cache", "clear"], input: terminal.program, errors: terminal.program)
        #expect(empty.status == 0 && empty.text.contains("removed 0 pictures"))
        _ = try await program.run("load", origin.url("/a.jpg").absoluteString)
        let piped = try await program.run(["cache", "clear"], errors: terminal.program)
        #expect(piped.status == 0 && piped.text.contains("removed 1 picture"))
        let stray = try await program.run("cache", "stats", "--yes")
        #expect(stray.status == 2 && stray.errors.contains("--yes says nothing"))
    }
}
