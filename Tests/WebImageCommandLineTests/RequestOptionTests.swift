import Foundation
import Glibc
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: requests", .timeLimit(.minutes(5)))
struct RequestOptionTests {
    private let program: Program
    private let origin: LoopbackOrigin

    init() throws {
        program = try Program()
        origin = try LoopbackOrigin()
        origin.serve("/a.png", Self.picture.protected(user: "ada", password: "p:w"))
    }

    private static let picture = OriginResponse.picture((try? Fixtures.data("photo-small.png")) ?? Data())

    private var address: String { origin.url("/a.png").absoluteString }

    /// Each command that transfers, with its operands and outputs.
    private static let commands = [
        ["load", "ADDRESS", "--no-cache"], ["info", "ADDRESS"], ["convert", "ADDRESS", "a.jpg"],
        ["frames", "ADDRESS", "-o", "."],
    ]

    private func run(_ command: [String], _ address: String, _ options: String...) async throws -> Program.Ending {
        try await program.run(command.map { $0 == "ADDRESS" ? address : $0 } + options)
    }

    @Test("--user answers a server that asks, and its password may have a colon", arguments: commands)
    func user(command: [String]) async throws {
        #expect(try await run(command, address, "--user", "ada:p:w").status == 0)
        for user in ["ada:p", "ada:", "eve:p:w", ":p:w"] {
            let refused = try await run(command, address, "--user", user)
            #expect(refused.status == 1 && refused.errors.contains("401"), "\(user): \(refused.errors)")
        }
        #expect(try await run(command, address, "--user", "").status == 2)
    }

    @Test("a missing password is asked for on the terminal, which does not show it", arguments: commands)
    func asks(command: [String]) async throws {
        let terminal = try Terminal()
        let arguments = command.map { $0 == "ADDRESS" ? address : $0 } + ["--user", "ada"]
        let run = try await program.run(arguments, input: terminal.program, errors: terminal.program) { _ in
            #expect(await terminal.read(until: "Password of ada: ").hasSuffix("Password of ada: "))
            #expect(!terminal.showsTyping)
            terminal.type("p:w\n")
            #expect(await terminal.read(until: "\n").allSatisfy(\.isNewline))
        }
        #expect(run.status == 0)
        #expect(terminal.showsTyping)
    }

    @Test("Control-C at the question for a password ends the program, and the terminal shows again what is typed")
    func interrupted() async throws {
        let terminal = try Terminal()
        let run = try await program.run(
            ["load", address, "--user", "ada"], input: terminal.program, errors: terminal.program
        ) { process in
            _ = await terminal.read(until: "Password of ada: ")
            kill(process, SIGINT)
        }
        #expect(run.status == 130 && run.output.isEmpty)
        #expect(terminal.showsTyping)
        #expect(origin.requests.isEmpty)
    }

    @Test("a missing password without a terminal is a wrong command line", arguments: commands)
    func doesNotAsk(command: [String]) async throws {
        let refused = try await run(command, address, "--user", "ada")
        #expect(refused.status == 2 && refused.errors.contains("write NAME:PASSWORD"), "\(refused.errors)")
        #expect(origin.requests.isEmpty)
    }

    @Test("an unknown certificate is refused, and accepted with --insecure or by its authority", arguments: commands)
    func certificates(command: [String]) async throws {
        let secure = try LoopbackOrigin(tls: true)
        secure.serve("/a.png", Self.picture)
        let address = secure.url("/a.png").absoluteString
        let refused = try await run(command, address)
        #expect(refused.status == 1 && refused.errors.contains("certificate"), "\(refused.errors)")
        #expect(try await run(command, address, "--insecure").status == 0)
        #expect(try await run(command, address, "--cacert", TestCertificates.authorityPath).status == 0)
        let missing = try await run(command, address, "--cacert", "missing.pem")
        #expect(missing.status == 1 && missing.errors.contains("missing.pem"), "\(missing.errors)")
    }

    @Test("--cookie-jar keeps cookies from one run to the next, for the user alone", arguments: commands)
    func cookies(command: [String]) async throws {
        origin.serve("/set.png", Self.picture.header("Set-Cookie", "id=1; Max-Age=1000"))
        origin.serve("/get.png", Self.picture)
        for path in ["/set.png", "/get.png"] {
            let run = try await run(command, origin.url(path).absoluteString, "--cookie-jar", "jar")
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(origin.requests.last?.cookies == ["id": "1"])
        let mode = try FileManager.default.attributesOfItem(atPath: program.file("jar").path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try await run(command, origin.url("/get.png").absoluteString).status == 0)
        #expect(origin.requests.last?.cookies == [:])
    }

    @Test("--limit-rate holds a transfer back, and takes the units of curl")
    func limitedRate() async throws {
        origin.serve("/large.png", OriginResponse(body: Data(repeating: 1, count: 1_000_000)))
        let address = origin.url("/large.png").absoluteString
        let held = try await program.run("load", address, "--no-cache", "--limit-rate", "1k", "--max-time", "1")
        #expect(held.status == 1 && held.errors.contains("totalTimeout"), "\(held.errors)")
        let quick = try await program.run("load", self.address, "--no-cache", "--user", "ada:p:w", "--limit-rate", "9M")
        #expect(quick.status == 0, "\(quick.errors)")
        #expect(try await program.run("load", address, "--limit-rate", "9Q").status == 2)
    }

    @Test("--hsts remembers from one run to the next which host wants https", arguments: commands)
    func strictHosts(command: [String]) async throws {
        let secure = try LoopbackOrigin(tls: true)
        secure.serve("/a.png", Self.picture.header("Strict-Transport-Security", "max-age=1000"))
        let address = secure.url("/a.png", host: "localhost").absoluteString
        let plain = address.replacing("https:", with: "http:")
        let authority = TestCertificates.authorityPath
        #expect(try await run(command, address, "--cacert", authority, "--hsts", "hosts").status == 0)
        let upgraded = try await run(command, plain, "--cacert", authority, "--hsts", "hosts")
        #expect(upgraded.status == 0, "\(upgraded.errors)")
        #expect(try await run(command, plain, "--cacert", authority).status == 1)
    }

    @Test("--cookie-jar writes over no file that has something else, and a jar may be called -")
    func otherJars() async throws {
        origin.serve("/set.png", Self.picture.header("Set-Cookie", "id=1; Max-Age=1000"))
        let url = origin.url("/set.png").absoluteString
        try Data("dear diary\n".utf8).write(to: program.file("diary"))
        let refused = try await program.run("load", url, "--cookie-jar", "diary")
        #expect(refused.status == 1 && refused.errors.contains("diary has no cookies"), "\(refused.errors)")
        #expect(try Data(contentsOf: program.file("diary")) == Data("dear diary\n".utf8))
        #expect(origin.requests.isEmpty)
        let run = try await program.run("load", url, "--cookie-jar", "-", "--json")
        #expect(run.status == 0 && run.lines.count == 1, "\(run.text)\(run.errors)")
        #expect(try String(contentsOf: program.file("-"), encoding: .utf8).contains("id\t1"))
    }

    @Test("a file that cannot keep cookies is an error that names it")
    func unwritableJar() async throws {
        let run = try await program.run("load", address, "--cookie-jar", "missing/jar")
        #expect(run.status == 1 && run.errors.contains("cannot keep cookies in missing/jar"), "\(run.errors)")
        #expect(origin.requests.isEmpty)
    }

    @Test("--retry loads again after a failure that may pass, and not after others")
    func retry() async throws {
        origin.serve("/busy.png", .status(503), Self.picture)
        #expect(try await program.run("load", origin.url("/busy.png").absoluteString, "--retry", "1").status == 0)
        #expect(origin.requestCount("/busy.png") == 2)
        origin.serve("/never.png", .status(503))
        #expect(try await program.run("load", origin.url("/never.png").absoluteString, "--retry", "0").status == 1)
        #expect(try await program.run("load", origin.url("/never.png").absoluteString).status == 1)
        #expect(origin.requestCount("/never.png") == 2)
        #expect(try await program.run("load", origin.url("/missing.png").absoluteString, "--retry", "3").status == 1)
        #expect(origin.requestCount("/missing.png") == 1)
        #expect(try await program.run("load", origin.url("/a.png").absoluteString, "--retry", "-1").status == 2)
    }

    @Test("explain tells what these options do, without a question and without the password")
    func explain() async throws {
        let run = try await program.run(
            "explain", "https://example.org/a.png", "--user", "ada:hush", "--insecure", "--retry", "2")
        #expect(run.status == 0)
        #expect(!run.text.contains("hush") && run.text.contains("RetryInterceptor"))
        #expect(run.text.contains("allowInvalidSSLCertificates"))
    }
}

extension Terminal {
    /// Whether the terminal echoes.
    fileprivate var showsTyping: Bool {
        var settings = termios()
        return tcgetattr(program.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
