import Foundation
import Testing
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles
@testable import webimage

@Suite("Command line: explain", .timeLimit(.minutes(5)))
struct ExplainCommandTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test("a plan is printed in words, and nothing is created or loaded for it")
    func words() async throws {
        let origin = try LoopbackOrigin()
        let address = origin.url("/a.jpg").absoluteString
        let run = try await program.run("explain", address, "--thumbnail", "30x20", "--cache", "elsewhere")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.lines.first == address)
        #expect(run.lines.contains("  reads    1 disk    original"))
        #expect(run.lines.contains { $0.hasPrefix("  loads    by WebImageDownloader, normal priority") })
        #expect(run.text.contains("to fit 30×20") && run.text.contains("a-Thumbnail("))
        #expect(origin.requests.isEmpty && program.files.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: program.cache.path))
    }

    @Test("load does what explain prints for the same options", arguments: [[], ["--no-cache"], ["--refresh"]])
    func truth(options: [String]) async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/a.jpg", .picture(try Fixtures.data("photo.jpg")))
        let address = origin.url("/a.jpg").absoluteString
        let run = try await program.run(["explain", "--json", address] + options)
        let explanation = try #require(try run.objects().first)
        let load = try await program.run(["load", address, "--trace"] + options)
        let reads = explanation["reads"] as? [[String: Any]] ?? []
        #expect(reads.isEmpty == !load.errors.contains("  disk "))
        let writes = explanation["writes"] as? [[String: Any]] ?? []
        let entries = try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int
        #expect(entries == writes.count)
    }

    @Test("every option of the library has its name, in any case of letters, as often as given")
    func optionNames() throws {
        for (name, option) in WebImageOptions.byName {
            let command = try ExplainCommand.parse(["x", "--option", name, "--option=\(name.uppercased())"])
            #expect(command?.loading.options == [option, option])
            #expect(try LoadCommand.parse(["x", "--option", name])?.loading.options == [option])
            #expect(ExplainCommand.help.contains(name) && LoadCommand.help.contains(name))
        }
        #expect(throws: UsageError("--option nonsense: give the name of an option, as --help lists them")) {
            try ExplainCommand.parse(["x", "--option", "nonsense"])
        }
    }

    @Test("notes name the options without effect")
    func notes() async throws {
        let run = try await program.run(
            "explain", "http://host/a.jpg", "--option", "lowPriority", "--option", "highPriority")
        #expect(run.text.contains("notes    highPriority wins over lowPriority"))
        #expect(run.text.contains("high priority"))
    }

    @Test("JSON is one object per address, without passwords; an invalid address is an error")
    func json() async throws {
        let run = try await program.run("explain", "--json", "http://me:hush@host/a.jpg", "ftp://host/b", "")
        #expect(run.status == 1 && run.errorLines.count == 1 && run.errors.contains("there is no URL"))
        #expect(!run.text.contains("hush"))
        let objects = try run.objects()
        try #require(objects.count == 3)
        #expect(objects[0]["url"] as? String == "http://me:***@host/a.jpg")
        let name = (objects[0]["names"] as? [String: String])?["original"] ?? ""
        #expect(name.hasPrefix("http://me:*") && name.hasSuffix("@host/a.jpg"))
        let refusal = (objects[1]["loads"] as? [String: Any])?["refusal"] as? [String: Any]
        #expect(refusal?["code"] as? Int == 3006)
        #expect((objects[2]["error"] as? [String: Any])?["code"] as? Int == 1000)
    }

    @Test("lines fit a terminal: prose is broken at spaces and indented, a name is not broken")
    func wrapping() throws {
        let url = try #require(URL(string: "http://host/" + String(repeating: "long", count: 40) + ".jpg"))
        let manager = WebImageManager(cache: SuspendedCache())
        let explanation = manager.explain(url, options: [.avoidDecodeImage, .allowInvalidSSLCertificates])
        let lines = explanation.text(columns: 60).split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { $0.columnCount < 60 || $0.contains("longlong") })
        #expect(lines.count { $0.contains("longlong") } == 2)
        #expect(explanation.text(columns: nil) == explanation.description)
        #expect("a bb  ccc".wrapped(to: 4) == ["a bb", " ccc"])
        #expect("".wrapped(to: 4) == [""])
    }

    @Test("an address with control characters does not reach the terminal as it is")
    func controls() async throws {
        let run = try await program.run("explain", "a\u{1B}[31m.jpg")
        #expect(!run.text.contains("\u{1B}") && !run.errors.contains("\u{1B}"))
    }
}
