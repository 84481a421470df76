import WebImage
import WebImageCommandLine

/// The options of the command line.
nonisolated struct GalleryOptions {
    /// How the loopback origin answers.
    enum Network: String {
        case slow, normal, fast

        var title: String {
            switch self {
            case .slow: "over a slow network, simulated"
            case .normal: "over a simulated network"
            case .fast: "over the loopback network"
            }
        }
    }

    /// The places of the pictures; none for the built-in ones.
    var sources: [PictureSource] = []
    /// Whether the built-in pictures are asked for by name.
    var isBuiltIn = false
    var screenshot: String?
    var loadingScreenshot: String?
    var seconds: Double?
    /// Whether the next start shows the sources again.
    var isRemembered = true
    var cacheDirectory: String?
    var network = Network.normal
    /// The number of cells; nil for one for each picture.
    var cells: Int?
    /// The speed of automatic scrolling in points per second; nil for none.
    var scroll: Double?
    /// Whether pictures are loaded while the grid is scrolled fast.
    var isEager = false
    /// The page that shows first.
    var firstPage = GalleryPage.pictures
    var report: String?
    /// nil for the formats beyond the built-in ones.
    var isolation: DecoderIsolation?
    fileprivate var isHelp = false

    /// Whether the program measures or draws itself, so that it must be the same in each run: nothing is remembered.
    var isMeasuring: Bool {
        isEager || scroll != nil || cells != nil || seconds != nil
            || [screenshot, loadingScreenshot, report].contains { $0 != nil }
    }

    /// Whether the sources of the last time are shown, because the command line says nothing about the pictures.
    var continues: Bool {
        sources.isEmpty && !isBuiltIn && network == .normal && firstPage == .pictures && !isMeasuring
    }

    /// Whether a single picture is shown large, and not as the cell of a grid that is measured, or on another page.
    var opensPicture: Bool { scroll == nil && cells == nil && firstPage == .pictures }

    /// The result of parsing a command line.
    enum Outcome {
        case show(GalleryOptions)
        case help
        case refuse(String)

        @MainActor
        func run() -> ExitCode {
            switch self {
            case .show(let options):
                GalleryCoders.register(options.isolation ?? .helper)
                return GalleryApplication(options).run()
            case .help:
                print(GalleryOptions.help)
                return .done
            case .refuse(let problem):
                complain("\(problem) (see webimage-gallery --help)")
                return .usage
            }
        }
    }

    /// Parses the arguments without the program's name.
    static func parse(_ arguments: [String]) -> Outcome {
        var options = GalleryOptions()
        do throws(UsageError) {
            let operands = try table.parse(arguments, into: &options)
            if options.isHelp { return .help }
            for operand in operands { options.sources.append(try source(operand)) }
        } catch {
            return .refuse(error.message)
        }
        guard options.sources.isEmpty || !options.isBuiltIn else {
            return .refuse("--built-in: give either this or sources")
        }
        return .show(options)
    }

    private static func source(_ operand: String) throws(UsageError) -> PictureSource {
        guard let source = PictureSource(operand) else {
            throw UsageError("\(operand.isEmpty ? "\"\"" : operand.printable) is neither a path nor an address")
        }
        return source
    }

    // MARK: - The options

    static var help: String {
        """
        Show pictures in a window, and each of them large after a click.

        Usage: webimage-gallery [OPTION…] [SOURCE…]

        A SOURCE is a folder, also one of a phone or a server (mtp://, gphoto2://, sftp://, smb://); a picture; a list of
        addresses, one on each line or a JSON array of them; or a web page. Lists and pages may be files or on the web.
        A single picture is shown large, with those of its folder around it. Files and folders may also be dropped onto
        the window. Without a SOURCE those of the last time are shown, and at first 240 pictures from a server inside this
        program, over a network that is made slow.

        \(table.help)
        At the end it says where the pictures came from. The exit status is 0 when all was done, 1 when something failed,
        2 when the command line is wrong.
        """
    }

    private static var table: OptionTable<Self> { OptionTable(options: pictures + runs + measurements) }

    private static var pictures: [CommandOption<Self>] {
        [
            .flag("built-in", \.isBuiltIn, help: "show the built-in pictures again"),
            .step(
                "origin", .source,
                help: "show this source, and do not remember any: the next start shows what the last did"
            ) { options, source, _ in
                options.isRemembered = false
                options.sources.append(source)
            },
            .value(
                "cache", .text("DIR", completion: .directories), \.cacheDirectory,
                help: "keep loaded pictures in DIR (default: a directory of this program under\nXDG_CACHE_HOME)"),
            .step("fast", help: "make the network of the built-in pictures faster") { options, _ in
                options.network = .fast
            },
            .step("slow", help: "make it slower") { options, _ in options.network = .slow },
            .step(
                "hashes", help: "begin with the second page: pictures whose hash or colour shows while they load"
            ) { options, _ in options.firstPage = .hashes },
            .step("animations", help: "begin with the third page: animations that play") { options, _ in
                options.firstPage = .animations
            },
        ]
    }

    private static var runs: [CommandOption<Self>] {
        [
            .value(
                "screenshot", .text("FILE", completion: .files), \.screenshot,
                help: "write the window as PNG when all pictures in sight are there, or when the time\nis over, and end"
            ),
            .value(
                "loading-screenshot", .text("FILE", completion: .files), \.loadingScreenshot,
                help: "write the window as PNG while pictures are still arriving"),
            .value("seconds", .seconds, \.seconds, help: "end after S seconds"),
            .isolation(\.isolation),
            .flag("help", letter: "h", \.isHelp, help: "show this"),
        ]
    }

    private static var measurements: [CommandOption<Self>] {
        [
            .value(
                "cells", .integer(1...1_000_000), \.cells,
                help: "show N cells, with the same pictures again and again"),
            .value(
                "scroll", .speed, \.scroll, help: "scroll to the end and back by itself, N points each second"),
            .flag("eager", \.isEager, help: "load pictures also while the grid flies by"),
            .value(
                "report", .text("FILE", completion: .files), \.report,
                help: "write what was measured while scrolling as JSON"),
        ]
    }
}

extension OptionValue where Value == PictureSource {
    nonisolated fileprivate static var source: Self {
        Self(placeholder: "SOURCE", expectation: "a path or an address", completion: .files) { PictureSource($0) }
    }
}

extension OptionValue where Value == Double {
    nonisolated fileprivate static var speed: Self {
        Self(placeholder: "N", expectation: "points each second, above 0 and up to 1000000") { text in
            Double(text).flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil }
        }
    }
}
