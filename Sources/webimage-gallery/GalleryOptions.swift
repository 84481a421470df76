import CLinux
import Glibc

/// The options of the command line.
struct GalleryOptions {
    /// How the loopback origin answers.
    nonisolated enum Network: String {
        case slow, normal, fast

        var title: String {
            switch self {
            case .slow: "over a slow network, simulated"
            case .normal: "over a simulated network"
            case .fast: "over the loopback network"
            }
        }
    }

    /// Where the pictures come from; none for the built-in ones.
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
    /// The file for the requests to the memory cache.
    var trace: String?

    /// Whether the program measures or draws itself, so that it must be the same in each run: nothing is remembered.
    var isMeasuring: Bool {
        isEager || scroll != nil || cells != nil || seconds != nil
            || [screenshot, loadingScreenshot, report, trace].contains { $0 != nil }
    }

    /// Whether the sources of the last time are shown, because the command line says nothing about the pictures.
    var continues: Bool {
        sources.isEmpty && !isBuiltIn && network == .normal && firstPage == .pictures && !isMeasuring
    }

    /// The result of parsing a command line.
    enum Outcome {
        case show(GalleryOptions)
        case help
        case refuse(String)

        func run() -> ExitCode {
            switch self {
            case .show(let options): return GalleryApplication(options).run()
            case .help:
                print(GalleryOptions.help)
                return .done
            case .refuse(let problem):
                complain("\(problem) (see webimage-gallery --help)")
                return .usage
            }
        }
    }

    static let help = """
        Show pictures in a window, and each of them large after a click.

        Usage: webimage-gallery [OPTION…] [SOURCE…]

        A SOURCE is a folder, also one of a phone or a server (mtp://, gphoto2://, sftp://, smb://); a picture; a list of
        addresses, one on each line or a JSON array of them; or a web page. Lists and pages may be files or on the web.
        Files and folders may also be dropped onto the window. Without a SOURCE those of the last time are shown, and at
        first 240 pictures from a server inside this program, over a network that is made slow.

          --built-in                 show the built-in pictures again
          --origin SOURCE            show this source, and do not remember any: the next start shows what the last did
          --cache DIR                keep loaded pictures in DIR (default: a directory of this program under
                                     XDG_CACHE_HOME)
          --fast, --slow             make the network of the built-in pictures faster or slower
          --screenshot FILE          write the window as PNG when all pictures in sight are there, or when the time is
                                     over, and end
          --loading-screenshot FILE  write the window as PNG while pictures are still arriving
          --cells N                  show N cells, with the same pictures again and again
          --scroll N                 scroll to the end and back by itself, N points each second
          --hashes                   begin with the second page: pictures whose hash or colour shows while they load
          --animations               begin with the third page: animations that play
          --eager                    load pictures also while the grid flies by
          --report FILE              write what was measured while scrolling as JSON
          --trace FILE               write which pictures were looked up in memory, in order, and what they cost
          --seconds N                end after N seconds
          --help                     show this

        At the end it says where the pictures came from. The exit status is 0 when all was done, 1 when something failed,
        2 when the command line is wrong.
        """
}

// MARK: - Reading the command line

extension GalleryOptions {
    private enum Code: Int32, CaseIterable {
        case screenshot = 256
        case loadingScreenshot, seconds, origin, cache, fast, slow, cells, scroll, hashes, animations, eager, report,
            trace, builtIn, help

        var name: String {
            switch self {
            case .loadingScreenshot: "loading-screenshot"
            case .builtIn: "built-in"
            default: "\(self)"
            }
        }

        var takesValue: Bool {
            switch self {
            case .fast, .slow, .hashes, .animations, .eager, .builtIn, .help: false
            default: true
            }
        }
    }

    /// Parses arguments with `getopt_long`; the first is the program's name.
    static func parse(_ arguments: [String]) -> Outcome {
        var pointers = arguments.map { strdup($0) } + [nil]
        let names = Code.allCases.map { strdup($0.name) }
        defer { for pointer in pointers + names { free(pointer) } }
        var list = zip(Code.allCases, names).map { code, name in
            option(
                name: name, has_arg: code.takesValue ? required_argument : no_argument, flag: nil, val: code.rawValue)
        }
        list.append(option())

        var options = GalleryOptions()
        let count = Int32(arguments.count)
        var step = webimage_getopt(count, &pointers, "-:h", list, 1)
        while step.code != -1 {
            let value = step.argument.map { String(cString: $0) } ?? ""
            if let outcome = options.apply(step.code, value, given: arguments[Int(step.next) - 1]) { return outcome }
            step = webimage_getopt(count, &pointers, "-:h", list, 0)
        }
        for argument in arguments[Int(step.next)...] {
            if let outcome = options.add(argument) { return outcome }
        }
        return options.checked
    }

    private mutating func add(_ argument: String) -> Outcome? {
        guard let source = PictureSource(argument) else {
            return .refuse("\(argument.isEmpty ? "\"\"" : argument) is neither a path nor an address")
        }
        sources.append(source)
        return nil
    }

    private var checked: Outcome {
        guard sources.isEmpty || !isBuiltIn else { return .refuse("--built-in: give either this or sources") }
        return .show(self)
    }

    /// Applies one option; an outcome ends the parsing.
    ///
    /// - Parameter found: 1 for what is no option.
    private mutating func apply(_ found: Int32, _ value: String, given: String) -> Outcome? {
        switch found {
        case 1: return add(value)
        case Int32(UInt8(ascii: ":")): return .refuse("\(given) needs a value")
        case Int32(UInt8(ascii: "h")): return .help
        default: break
        }
        guard let code = Code(rawValue: found) else { return .refuse("there is no option \(given)") }
        if value.isEmpty, code.takesValue { return .refuse("--\(code.name) needs a value") }
        switch code {
        case .screenshot: screenshot = value
        case .loadingScreenshot: loadingScreenshot = value
        case .origin:
            isRemembered = false
            return add(value)
        case .cache: cacheDirectory = value
        case .fast: network = .fast
        case .slow: network = .slow
        case .eager: isEager = true
        case .builtIn: isBuiltIn = true
        case .hashes: firstPage = .hashes
        case .animations: firstPage = .animations
        case .report: report = value
        case .trace: trace = value
        case .cells:
            guard let number = Int(value), (1...1_000_000).contains(number) else {
                return .refuse("--cells \(value): give a number from 1 to 1000000")
            }
            cells = number
        case .scroll:
            guard let number = Double(value), number > 0, number <= 1_000_000 else {
                return .refuse("--scroll \(value): give points per second, above 0 and up to 1000000")
            }
            scroll = number
        case .help: return .help
        case .seconds:
            guard let number = Double(value), number > 0, number <= 86_400 else {
                return .refuse("--seconds \(value): give a number of seconds above 0 and up to 86400")
            }
            seconds = number
        }
        return nil
    }
}
