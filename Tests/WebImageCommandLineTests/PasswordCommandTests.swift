import Foundation
import Testing
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Command line: passwords", .timeLimit(.minutes(5)))
struct PasswordCommandTests {
    private let program: Program
    private let origin: LoopbackOrigin

    init() throws {
        program = try Program()
        origin = try LoopbackOrigin()
        origin.serve(
            "/a.png", .picture(try Fixtures.data("photo-small.png")).protected(user: "ada", password: "hush/?#@%"))
    }

    /// With the password `hush/?#@%`, percent-encoded.
    private var address: String { "http://ada:hush%2F%3F%23%40%25@127.0.0.1:\(origin.port)/a.png" }

    /// Whether nothing that a run has told or left contains the password.
    private func expectNoPassword(_ run: Program.Ending, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(!run.text.contains("hush"), "\(run.text)", sourceLocation: location)
        #expect(!run.errors.contains("hush"), "\(run.errors)", sourceLocation: location)
        let found = FileManager.default.enumerator(at: program.directory, includingPropertiesForKeys: nil)
        for case let file as URL in found ?? FileManager.DirectoryEnumerator() {
            guard let bytes = try? Data(contentsOf: file) else { continue }
            #expect(bytes.range(of: Data("hush".utf8)) == nil, "\(file.path)", sourceLocation: location)
            #expect(!file.lastPathComponent.contains("hush"), sourceLocation: location)
        }
    }

    @Test("a password reaches the server, but no report, no file of the cache and no output's name")
    func load() async throws {
        for arguments in [[], ["--json"], ["--trace"], ["--trace", "--json"], ["-o", "./"]] {
            let run = try await program.run(["load", address] + arguments)
            #expect(run.status == 0, "\(run.errors)")
            try expectNoPassword(run)
        }
        try expectNoPassword(try await program.run("explain", address))
        try expectNoPassword(try await program.run("explain", "--json", address))
    }

    @Test("a cached picture is found by its address and by the name that list prints, and neither tells the password")
    func cache() async throws {
        #expect(try await program.run("load", address).status == 0)
        let list = try await program.run("cache", "list", "--json")
        try expectNoPassword(list)
        let key = try #require(try list.objects().first?["key"] as? String)
        #expect(key.hasPrefix("http://ada:*") && key.hasSuffix("@127.0.0.1:\(origin.port)/a.png"))
        for name in [address, key] {
            for json in [[], ["--json"]] {
                let run = try await program.run(["cache", "show", name] + json)
                #expect(run.status == 0, "\(run.errors)")
                try expectNoPassword(run)
            }
        }
        try expectNoPassword(try await program.run("cache", "list"))
        try expectNoPassword(try await program.run("cache", "verify"))
        let removal = try await program.run("cache", "remove", "--json", address)
        #expect(removal.status == 0)
        try expectNoPassword(removal)
        for json in [[], ["--json"]] {
            let run = try await program.run(["cache", "remove", address] + json)
            #expect(run.status == 1)
            try expectNoPassword(run)
        }
    }

    @Test("another password does not get the picture of the first")
    func otherPassword() async throws {
        #expect(try await program.run("load", address).status == 0)
        let wrong = try await program.run("load", "http://ada:wrong@127.0.0.1:\(origin.port)/a.png")
        #expect(wrong.status == 1 && wrong.errors.contains("401"), "\(wrong.errors)")
        let none = try await program.run("load", "http://ada@127.0.0.1:\(origin.port)/a.png")
        #expect(none.status == 1)
    }

    @Test(
        "no error repeats a password, however the address is written",
        arguments: [
            "http://ada:hush@127.0.0.1:1/a.png", "ada:hush@127.0.0.1:1/a.png", "//ada:hush@127.0.0.1/a.png",
            "http://ada:hu/hush@127.0.0.1:1/a.png", "http://ada:?hush@127.0.0.1:1/a.png",
            "http://ada:#hush@127.0.0.1:1/a.png", "http://ada:ha ha hush@[bad/a.png", "ftp://ada:hush@host/a.png",
            "http://ada:hush@", "http://ada:hush%zz@host/",
        ])
    func errors(address: String) async throws {
        for command in [
            ["load"], ["load", "--json"], ["info"], ["info", "--json"], ["explain", "--json"], ["explain"],
        ] {
            try expectNoPassword(try await program.run(command + [address]))
        }
        try expectNoPassword(try await program.run("convert", address, "-o", "a.jpg"))
        try expectNoPassword(try await program.run("cache", "show", "--json", address))
    }

    @Test("a redirect's password is in no file of the HTTP cache")
    func storedRedirect() async throws {
        origin.serve("/b.png", .picture(try Fixtures.data("photo-small.png")).header("Cache-Control", "max-age=100"))
        origin.serve(
            "/moved",
            .redirect(to: "http://ada:hush@127.0.0.1:\(origin.port)/b.png").header("Cache-Control", "max-age=100"))
        for _ in 0..<2 {
            let run = try await program.run("load", "--http-cache", "--json", origin.url("/moved").absoluteString)
            #expect(run.status == 0, "\(run.errors)")
            try expectNoPassword(run)
        }
        try expectNoPassword(try await program.run("cache", "show", "--json", origin.url("/moved").absoluteString))
    }

    @Test("a redirect's password is in no error")
    func redirect() async throws {
        origin.serve("/to", .redirect(to: "ftp://ada:hush@127.0.0.1/a.png"))
        origin.serve("/loop", .redirect(to: "http://ada:hush@127.0.0.1:\(origin.port)/loop"))
        for path in ["/to", "/loop"] {
            let run = try await program.run("load", "--json", origin.url(path).absoluteString)
            #expect(run.status == 1)
            try expectNoPassword(run)
        }
    }
}
