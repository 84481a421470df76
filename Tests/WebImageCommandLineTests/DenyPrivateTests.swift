import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: --deny-private", .timeLimit(.minutes(5)))
struct DenyPrivateTests {
    private static let proxy = ["http_proxy": "http://127.0.0.1:9"]

    private let program: Program
    private let origin: LoopbackOrigin

    init() throws {
        program = try Program()
        origin = try LoopbackOrigin()
        origin.fallback = { _ in .text("x") }
        try Fixtures.data("photo-small.png").write(to: program.file("a.png"))
    }

    @Test(
        "files are refused, as paths and as addresses, typed and of a list",
        arguments: ["load", "show", "play", "explain"])
    func files(command: String) async throws {
        let url = program.file("a.png").absoluteString
        try Data("a.png\n./a.png\n\(url)\nFILE://localhost/etc/passwd\n".utf8).write(to: program.file("list"))
        for (arguments, count) in [(["--from", "list"], 4), (["a.png"], 1), ([url], 1)] {
            let run = try await program.run([command, "--deny-private"] + arguments)
            #expect(run.status == 1 && run.errorLines.count == count, "\(run.errors)")
            #expect(run.errorLines.allSatisfy { $0.contains("a file of this machine, and --deny-private") })
        }
        #expect(try await program.run([command, "a.png"]).status == 0)
    }

    @Test("standard input and data URLs are no places of this machine")
    func others() async throws {
        let data = try Fixtures.data("photo-small.png")
        let input = try FileHandle(forReadingFrom: program.file("a.png"))
        #expect(try await program.run(["load", "-", "--deny-private"], input: input).status == 0)
        let address = "data:image/png;base64,\(data.base64EncodedString())"
        #expect(try await program.run("load", address, "--deny-private").status == 0)
    }

    @Test("hosts of this machine are refused, and explain tells it")
    func hosts() async throws {
        let address = origin.url("/a.png").absoluteString
        #expect(try await program.run("load", address, "--deny-private").status == 1)
        #expect(origin.requests.isEmpty)
        let words = try await program.run("explain", address, "--deny-private")
        #expect(words.text.contains("from addresses of the internet only, and 127.0.0.1 is none"))
        #expect(words.errors.isEmpty)
        #expect(try await !program.run("explain", address).text.contains("of the internet"))
        let objects = try await program.run("explain", address, "--deny-private", "--json").objects()
        #expect((objects.first?["loads"] as? [String: Any])?["deniesPrivate"] as? Bool == true)
        let refused = try await program.run("explain", "a.png", "--deny-private", "--json").objects()
        #expect((refused.first?["error"] as? [String: Any])?["kind"] as? String == "policy")
    }

    @Test(
        "a proxy of the environment is a warning, and none with --no-proxy",
        arguments: ["load", "show", "play", "explain"])
    func proxy(command: String) async throws {
        let arguments = [command, origin.url("/a.png").absoluteString, "--deny-private"]
        let warned = try await program.run(arguments, environment: Self.proxy)
        #expect(
            warned.errors.contains("warning: --deny-private") && warned.errors.contains("--no-proxy"),
            "\(warned.errors)")
        for (more, environment) in [
            (["--no-proxy"], Self.proxy), ([], [:]), (["--quiet"], Self.proxy),
            ([], Self.proxy.merging(["no_proxy": "*"]) { $1 }),
        ] {
            let run = try await program.run(arguments + more, environment: environment)
            #expect(!run.errors.contains("warning"), "\(run.errors)")
        }
    }

    @Test("--no-proxy asks hosts directly", arguments: [["load"], ["info"], ["hash", "color"]])
    func direct(command: [String]) async throws {
        origin.serve("/a.png", .picture(try Fixtures.data("photo-small.png")))
        let arguments = command + [origin.url("/a.png").absoluteString]
        #expect(try await program.run(arguments, environment: Self.proxy).status == 1)
        let run = try await program.run(arguments + ["--no-proxy"], environment: Self.proxy)
        #expect(run.status == 0, "\(run.errors)")
    }
}
