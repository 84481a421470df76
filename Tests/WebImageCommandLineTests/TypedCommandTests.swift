import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import WebImageCommandLine
@testable import WebImageTestDoubles
@testable import webimage

/// Commands as people type them: lists, sizes, names with mistakes.
@Suite("Command line: as people type it", .timeLimit(.minutes(5)))
struct TypedCommandTests {
    private let origin: LoopbackOrigin
    private let program: Program
    private let photo: Data

    init() throws {
        origin = try LoopbackOrigin()
        program = try Program()
        photo = try Fixtures.data("photo.jpg")
        origin.serve("/a.jpg", .picture(photo))
        origin.serve("/b.jpg", .picture(photo))
    }

    private func address(_ path: String) -> String { origin.url(path).absoluteString }

    // MARK: - Sizes

    @Test(
        "a box has two sides, one for a square, or an open one",
        arguments: [
            ("60x60", "60×45"), ("60", "60×45"), ("60x", "60×45"), ("x60", "80×60"), ("x15", "20×15"),
            ("1000x", "200×150"),
        ])
    func boxes(text: String, size: String) async throws {
        for command in [["load", "-o"], ["convert"]] {
            let operands = [command[0], Fixtures.path("photo.jpg")] + command.dropFirst() + ["a.png"]
            let run = try await program.run(operands + ["--thumbnail", text])
            #expect(run.status == 0 && run.text.contains(" \(size) "), "\(run.text)\(run.errors)")
        }
        let frame = try await program.run(
            "frames", Fixtures.path("photo.jpg"), "-o", ".", "--max-pixel-size", text)
        #expect(frame.text.contains("  \(size)  "), "\(frame.text)\(frame.errors)")
    }

    @Test("a drawing fills the side that is given")
    func drawing() async throws {
        try Data("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'/>".utf8).write(
            to: program.file("a.svg"))
        let run = try await program.run("convert", "a.svg", "a.png", "--thumbnail", "x300")
        #expect(run.status == 0 && run.text.contains("600×300"), "\(run.text)\(run.errors)")
    }

    @Test("--stretch needs both sides")
    func stretch() async throws {
        for box in ["30x", "x30"] {
            let run = try await program.run("convert", "a.jpg", "b.png", "--stretch", "--thumbnail", box)
            #expect(run.status == 2 && run.errors.contains("both sides"), "\(run.errors)")
        }
        let run = try await program.run(
            "convert", Fixtures.path("photo.jpg"), "b.png", "--stretch", "--thumbnail", "30")
        #expect(run.text.contains("30×30"), "\(run.errors)")
    }

    // MARK: - Lists

    @Test("--from - reads a list from standard input, with comments, spaces and line ends of other systems")
    func list() async throws {
        let list = "\u{FEFF}\(address("/a.jpg"))\r\n\n# no picture\n  \(address("/b.jpg"))  \n\t\n"
        try Data(list.utf8).write(to: program.file("list"))
        let run = try await program.run(script: "\"$0\" load --from - -o out/ <list")
        #expect(run.status == 0 && run.lines.count == 2, "\(run.errors)")
        #expect(program.files == ["list", "out", "out/a.jpg", "out/b.jpg"])
        for command in ["load", "info", "explain"] {
            let file = try await program.run(command, address("/a.jpg"), "--from", "list", "--json")
            #expect(file.status == 0, "\(file.errors)")
            #expect(
                try file.objects().compactMap { $0["url"] as? String }.sorted() == [
                    address("/a.jpg"), address("/a.jpg"), address("/b.jpg"),
                ])
        }
    }

    @Test("names between zero bytes may have line ends, spaces and # in them")
    func binaryList() async throws {
        for name in [" a\n.jpg", "#b.jpg"] { try photo.write(to: program.file(name)) }
        let run = try await program.run(
            script: "printf ' a\\n.jpg\\0#b.jpg\\0' | \"$0\" load --from - -o out/ --format png")
        #expect(run.status == 0 && run.lines.count == 2, "\(run.errors)")
    }

    @Test("of an empty list nothing is loaded, which is a warning")
    func emptyList() async throws {
        let run = try await program.run("load", "--from", "-", "-o", "x.jpg")
        #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("warning: the list names no picture"))
    }

    @Test("lists that cannot be are one error each")
    func badLists() async throws {
        try Data("a.jpg\nb.jpg\n".utf8).write(to: program.file("two"))
        try Data([0x61, 0x0A, 0xFF]).write(to: program.file("bytes"))
        for (arguments, status, says) in [
            (["load", "--from", "none"], 1, "none cannot be read: No such file"),
            (["info", "--from", "."], 1, "Is a directory"),
            (["load", "--from", "bytes"], 1, "name 2 of bytes is not UTF-8"),
            (["load", "--from", "two", "-o", "x.jpg"], 2, "2 pictures need a directory"),
            (["load", "-", "--from", "-"], 2, "standard input is read once"),
            (["load", "-", "-"], 2, "standard input is read once"),
        ] {
            let run = try await program.run(arguments)
            #expect(run.status == status && run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
        }
    }

    // MARK: - Standard input

    @Test("load - loads the picture in standard input, and keeps it out of the cache")
    func standardInput() async throws {
        let run = try await program.run(
            script: "cat \"$1\" | \"$0\" load - -o out/ --thumbnail 40 --json", Fixtures.path("photo.jpg"))
        #expect(run.status == 0, "\(run.errors)")
        let object = try #require(try run.objects().first)
        #expect(object["given"] as? String == "-" && object["source"] as? String == "input")
        #expect(object["bytes"] as? Int == photo.count && object["width"] as? Int == 40)
        #expect(program.files == ["out", "out/image.jpg"])
        #expect(try await program.run("cache", "stats", "--json").objects().first?["entries"] as? Int == 0)
        let through = try await program.run(script: "\"$0\" load - -o - <\"$1\"", Fixtures.path("photo.jpg"))
        #expect(through.output == photo)
    }

    // MARK: - Requests

    @Test("--header goes with every request, several of a name as one")
    func headers() async throws {
        let fields = [
            "--header", "X-One: 1", "--header", "x-one:2", "--header", "Cookie: a=1", "--header", "Cookie: b=2",
            "--header", "X-Empty:", "--header", "Referer: https://example.org/: x",
        ]
        let url = address("/a.jpg")
        for command in [["load", url], ["info", url], ["convert", url, "a.jpg"], ["frames", url, "-o", "."]] {
            let run = try await program.run(command + fields)
            #expect(run.status == 0, "\(run.errors)")
            let request = try #require(origin.requests.last)
            #expect(request.header("x-one") == "1, 2" && request.header("cookie") == "a=1; b=2")
            #expect(request.header("referer") == "https://example.org/: x" && request.header("x-empty") == "")
        }
    }

    @Test(
        "a header field that HTTP does not take is refused",
        arguments: ["", "no colon", ": x", "a b: x", "a: x\r\nb: y"])
    func badHeaders(field: String) async throws {
        let run = try await program.run("load", address("/a.jpg"), "--header", field)
        #expect(run.status == 2 && run.errors.contains("a name, a colon and a value"), "\(run.errors)")
        #expect(origin.requests.isEmpty)
    }

    @Test("JSON has the operand as typed beside its address")
    func given() async throws {
        try photo.write(to: program.file("my photo.jpg"))
        let url = program.file("my photo.jpg").absoluteString
        for command in [["load"], ["info"], ["explain"], ["convert", "b.jpg"]] {
            let run = try await program.run([command[0], "my photo.jpg"] + command.dropFirst() + ["--json"])
            let object = try #require(try run.objects().first)
            #expect(object["given"] as? String == "my photo.jpg" && object["url"] as? String == url, "\(run.text)")
        }
        let failure = try await program.run("frames", "none.gif", "-o", ".", "--json").objects().first
        #expect(failure?["given"] as? String == "none.gif")
        let secret = try await program.run("explain", "http://me:hush@host/a.jpg", "--json")
        #expect(!secret.text.contains("hush"))
    }

    // MARK: - Names

    @Test("-V is --version")
    func version() async throws {
        #expect(try await program.run("-V").text == "webimage \(WebImageVersion.current)\n")
    }

    @Test(
        "a name with a mistake gets the one that is meant",
        arguments: [
            (["laod", "x"], "no command laod; did you mean load?"), (["conv"], "did you mean convert?"),
            (["--verison"], "did you mean --version?"),
            (["load", "--thumbnial", "3", "x"], "did you mean --thumbnail?"),
            (["load", "--thumbnial=3", "x"], "there is no option --thumbnial=3; did you mean --thumbnail?"),
            (["load", "--ca", "x"], "did you mean --cache or --cacert?"),
            (["info", "--josn", "x"], "did you mean --json?"),
            (["load", "x", "-o", "y", "--format", "jpge"], "--format jpge: did you mean jpeg?"),
            (["load", "x", "--option", "retryFialed"], "did you mean retryFailed?"),
            (["cache", "cler"], "there is no webimage cache cler; did you mean clear?"),
            (["cache", "list", "--sort", "siez"], "did you mean size?"),
            (["--generate", "bahs"], "did you mean bash?"),
        ])
    func suggestions(arguments: [String], says: String) async throws {
        let run = try await program.run(arguments)
        #expect(run.status == 2 && run.errorLines.count == 1 && run.errors.contains(says), "\(run.errors)")
    }

    @Test("a name that is like none gets all, or where they are")
    func noSuggestions() async throws {
        for (arguments, says) in [
            (["paint"], "the commands are load"), (["load", "--wobble", "x"], "or it is not spelt out"),
            (["load", "x", "--format", "quicktime", "-o", "y"], "give jpeg, png"), (["cache", "burn"], "stats|list"),
        ] {
            let run = try await program.run(arguments)
            #expect(run.errors.contains(says) && !run.errors.contains("did you mean"), "\(run.errors)")
        }
    }

    @Test("distances count insertions, removals, replacements and exchanges")
    func distances() {
        let words = ["crossDissolve", "curlUp", "curlDown", "zoom"]
        for (typed, question) in [
            ("crossdisolve", "did you mean crossDissolve?"), ("CURLPU", "did you mean curlUp?"),
            ("curl", "did you mean curlUp or curlDown?"), ("zom", "did you mean zoom?"),
            ("zooom", "did you mean zoom?"),
            ("", nil), ("x", nil), ("explode", nil),
        ] {
            #expect(Suggestion(for: typed, among: words).question == question, "\(typed)")
        }
    }

    @Test("fade is a name of crossDissolve, and effects with a mistake are found")
    func effects() throws {
        #expect(OptionValue.effect.parse("fade")?.name == "crossDissolve")
        #expect(OptionValue.effect.parse("Fade")?.name == "crossDissolve")
        #expect(OptionValue.effect.expectation.contains("crossDissolve, fade, "))
        #expect(TransitionOptions.notes.contains(" fade,"))
        let question = Suggestion(for: "crosdissolve", among: OptionValue.effect.completion.words).question
        #expect(question == "did you mean crossDissolve?")
    }
}
