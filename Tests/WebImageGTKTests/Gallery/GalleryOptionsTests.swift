import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct GalleryOptionsTests {
    private func parse(_ arguments: String...) -> GalleryOptions.Outcome {
        GalleryOptions.parse(arguments)
    }

    private func problem(_ arguments: String...) -> String? {
        guard case .refuse(let problem) = GalleryOptions.parse(arguments) else { return nil }
        return problem
    }

    @Test("all options are read, with and without an equals sign")
    func all() throws {
        let outcome = parse(
            "--screenshot", "a.png", "--loading-screenshot=b.png", "--seconds", "2.5", "--origin", "http://host/list",
            "--cache=dir", "--fast", "--cells", "500", "--scroll=4000", "--eager", "--report", "r.json",
            "--hashes", "--isolation=all")
        guard case .show(let options) = outcome else { throw Unexpected(outcome) }
        #expect(options.screenshot == "a.png")
        #expect(options.loadingScreenshot == "b.png")
        #expect(options.seconds == 2.5)
        #expect(options.sources.map(\.address) == ["http://host/list"])
        #expect(!options.isRemembered)
        #expect(options.cacheDirectory == "dir")
        #expect(options.network == .fast)
        #expect(options.cells == 500)
        #expect(options.isolation == .all)
        #expect(options.scroll == 4000)
        #expect(options.isEager)
        #expect(options.report == "r.json")
        #expect(options.firstPage == .hashes)
    }

    @Test("without options the window stays until it is closed")
    func none() throws {
        let outcome = parse()
        guard case .show(let options) = outcome else { throw Unexpected(outcome) }
        #expect(options.seconds == nil)
        #expect(options.screenshot == nil)
        #expect(options.network == .normal)
        #expect(options.firstPage == .pictures)
    }

    @Test("each page may be the first", arguments: [("--hashes", GalleryPage.hashes), ("--animations", .animations)])
    func firstPage(option: String, page: GalleryPage) throws {
        let outcome = parse(option)
        guard case .show(let options) = outcome else { throw Unexpected(outcome) }
        #expect(options.firstPage == page)
    }

    @Test("whatever is no option is a source, also after two dashes")
    func sources() throws {
        let outcome = parse("/a.jpg", "--fast", "http://host/list.txt", "--", "--b.png")
        guard case .show(let options) = outcome else { throw Unexpected(outcome) }
        #expect(options.network == .fast)
        #expect(options.sources.map { $0.title.split(separator: "/").last } == ["a.jpg", "list.txt", "--b.png"])
    }

    @Test("the sources of the last time are shown when nothing else is asked for, and never while measuring")
    func continuing() throws {
        for (arguments, continues) in [
            ([], true), (["--cache=dir"], true), (["--fast"], false), (["--built-in"], false), (["a.jpg"], false),
            (["--screenshot=a.png"], false), (["--scroll=100"], false), (["--hashes"], false),
        ] {
            let outcome = GalleryOptions.parse(arguments)
            guard case .show(let options) = outcome else { throw Unexpected(outcome) }
            #expect(options.continues == continues, "\(arguments)")
        }
    }

    @Test("help is printed, wherever its option stands", arguments: [["--help"], ["-h"], ["--fast", "--help"]])
    func help(arguments: [String]) throws {
        let outcome = GalleryOptions.parse(arguments)
        guard case .help = outcome else { throw Unexpected(outcome) }
    }

    @Test("the help names every option, in lines for a terminal of 120 columns")
    func helpText() {
        let lines = GalleryOptions.help.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        for option in ["--built-in", "--origin SOURCE", "--cache DIR", "--seconds S", "--scroll N", "-h, --help"] {
            #expect(lines.contains { $0.contains(option) }, "\(option)")
        }
    }

    @Test("invalid options are refused by name")
    func refusals() {
        #expect(problem("--nonsense") == "there is no option --nonsense, or it is not spelt out")
        #expect(problem("--screnshot") == "there is no option --screnshot; did you mean --screenshot?")
        #expect(problem("--screenshot") == "--screenshot needs a value")
        #expect(problem("--screenshot=") == "--screenshot : give a name that is not empty")
        #expect(problem("") == "\"\" is neither a path nor an address")
        #expect(problem("http://") == "http:// is neither a path nor an address")
        #expect(problem("--origin", "http://") == "--origin http://: give a path or an address")
        #expect(problem("--built-in", "a.jpg") == "--built-in: give either this or sources")
        #expect(problem("--cells", "0")?.hasPrefix("--cells 0: give") == true)
        #expect(problem("--scroll", "fast")?.hasPrefix("--scroll fast: give") == true)
        for seconds in ["0", "-1", "soon", "nan", "1e9"] {
            #expect(problem("--seconds", seconds)?.hasPrefix("--seconds \(seconds): give") == true)
        }
    }

    private struct Unexpected: Error {
        let outcome: String
        init(_ outcome: GalleryOptions.Outcome) { self.outcome = "\(outcome)" }
    }
}
