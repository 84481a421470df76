import WebImage

/// `webimage load`: loads pictures, tells where they came from, and writes them to files.
struct LoadCommand: Command {
    static let name = "load"
    static let summary = "Load pictures through the cache and write them to files"
    static let synopsis = ["URL|PATH… [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "output", letter: "o", .text("FILE|DIR"), \.output,
                help: "write to FILE, or into DIR (an existing one, or with a / at its end);\n- is standard output"),
            .value(
                "thumbnail", .pixelSize, \.thumbnail,
                help: "decode to fit into WxH pixels, proportions kept, never enlarged"),
            .value(
                "format", .format(WritableFormat.byName), \.format,
                help: "the format to write; by default what FILE's extension says"),
            .value("quality", .integer(1...100), \.quality, help: "quality of JPEG and WebP, 1 to 100; 100 by default"),
            .flag(
                "raw", \.isRaw, help: "write the pixels as stored: not turned, no colour conversion; needs\n-o FILE.pam"
            ),
            .value("cache", .text("DIR"), \.cacheDirectory, help: "the cache to use; see webimage cache --help"),
            .flag("no-cache", \.ignoresCache, help: "neither read the cache nor write it"),
            .flag("refresh", \.refreshes, help: "load anew, and store what came"),
            .value("concurrency", .integer(1...64), \.concurrency, help: "loads at a time, 1 to 64; 6 by default"),
            .value("timeout", .seconds, \.timeout, help: "seconds without any byte until a load fails; 15 by default"),
        ]
    }
    static let notes = """
        A picture that is written in its own format and size is the original file, byte for byte. Without --format and
        without an extension that names a format, pictures keep theirs. Files in DIR are named after the last part of the
        URL; names that would be the same get -2, -3 and so on.

        Each picture is told in one line as its load ends: where it came from (network, disk, memory, file, data), bytes,
        pixel size, milliseconds, address, and the file written. The same URL given twice is loaded once; the second is
        told as from memory. With -o - these lines go to standard error.

        With --json each line is an object: url, source, bytes, width, height, format, milliseconds, output, and for
        failures error: {code, kind, stage, message, status}. Fields that do not apply are left out.
        """

    var report = ReportOptions()
    var output: String?
    var thumbnail: PixelSize?
    var format: ImageFormat?
    var quality: Int?
    var isRaw = false
    var cacheDirectory: String?
    var ignoresCache = false
    var refreshes = false
    var concurrency: Int?
    var timeout: Double?
    private(set) var operands: [Operand] = []
    private(set) var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard !operands.isEmpty else { throw UsageError("no picture; give a URL or a path") }
        if ignoresCache && refreshes { throw UsageError("--no-cache and --refresh do not go together; choose one") }
        if ignoresCache && cacheDirectory != nil {
            throw UsageError("--no-cache and --cache do not go together; choose one")
        }
        target = try OutputTarget(output, inputCount: operands.count)
        try checkOutputOptions()
        self.operands = operands.map(Operand.init)
    }

    private func checkOutputOptions() throws(UsageError) {
        if target == .none, isRaw { throw UsageError("--raw needs an output; add -o FILE.pam") }
        if target == .none, format != nil { throw UsageError("--format needs an output; add -o FILE or -o DIR") }
        if target == .none, quality != nil { throw UsageError("--quality needs an output; add -o FILE or -o DIR") }
        guard isRaw else { return }
        if thumbnail != nil {
            throw UsageError("--raw writes the pixels as stored and --thumbnail does not; leave one of them out")
        }
        guard (format ?? target.format) == .pam else {
            throw UsageError("--raw writes PAM only; write -o FILE.pam or add --format pam")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, console.outputIsTerminal {
            console.printError("load: -o - would write a picture to the terminal; redirect it or give a file name")
            return .usage
        }
        do throws(WebImageError) {
            try target.makeDirectory()
            let pipeline = try LoadPipeline(self)
            return await LoadRun(command: self, console: console, pipeline: pipeline).run()
        } catch {
            console.printError(error.reason)
            return .failed
        }
    }
}
