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

    var screenshot: String?
    var loadingScreenshot: String?
    var seconds: Double?
    var origin: String?
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
        Show pictures from a web server in a window: 240 of them from a server inside this program, over a network that
        is made slow, or those of a server of your own.

        Usage: webimage-gallery [OPTION…]

          --origin URL               show the pictures that this list names, instead of the built-in ones: one address
                                     on each line, or a JSON array of them; relative ones start from the list's own
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
            trace, help

        var name: String {
            switch self {
            case .loadingScreenshot: "loading-screenshot"
            default: "\(self)"
            }
        }

        var takesValue: Bool {
            switch self {
            case .fast, .slow, .hashes, .animations, .eager, .help: false
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
        return step.next == count ? .show(options) : .refuse("\(arguments[Int(step.next)]) is not an option")
    }

    /// Applies one option; an outcome ends the parsing.
    private mutating func apply(_ found: Int32, _ value: String, given: String) -> Outcome? {
        if found == 1 { return .refuse("\(value) is not an option") }
        if found == 0x3A { return .refuse("\(given) needs a value") }
        if found == 0x68 { return .help }
        guard let code = Code(rawValue: found) else { return .refuse("there is no option \(given)") }
        switch code {
        case .screenshot: screenshot = value
        case .loadingScreenshot: loadingScreenshot = value
        case .origin: origin = value
        case .cache: cacheDirectory = value
        case .fast: network = .fast
        case .slow: network = .slow
        case .eager: isEager = true
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
        return value.isEmpty && code.takesValue ? .refuse("--\(code.name) needs a value") : nil
    }
}
