import WebImage
import WebImageCommandLine

/// `webimage load`: loads pictures, reports their source, and writes them to files.
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
                "format", .format(WritableFormat.byName), \.format,
                help: "the format to write (\(WritableFormat.list())); by default\nwhat FILE's extension says"),
            .value("quality", .integer(1...100), \.quality, help: "quality of lossy formats, 1 to 100; 100 by default"),
            .flag(
                "raw", \.loading.isRaw,
                help: "write the pixels as stored: not turned, no colour conversion; needs\n-o FILE.pam"
            ),
            .value("concurrency", .integer(1...64), \.concurrency, help: "loads at a time, 1 to 64; 6 by default"),
            .flag("trace", \.isTraced, help: "show on standard error how long each stage of each load takes"),
        ] + LoadingOptions.options(of: \.loading)
    }
    static var notes: String {
        """
        A picture that is written in its own format and size, without --thumbnail, is the original file, byte for byte.
        Without --format and without an extension that names a format, pictures keep theirs. Files in DIR are named after
        the last part of the URL; names that would be the same get -2, -3 and so on.

        Each picture is told in one line as its load ends: where it came from (network, disk, memory, file, data), bytes,
        pixel size, milliseconds, address, and the file written. The same URL given twice is loaded once; the second is
        told as from memory. With -o - these lines go to standard error.

        With --json each line is an object: url, source, bytes, width, height, format, milliseconds, output, and for
        failures error: {code, kind, stage, message, status}. Fields that do not apply are left out.

        With --trace each load is told on standard error as it ends, a line for each stage: intercept (an interceptor that
        has taken the load over), memory, disk, original (the file that a thumbnail is made of), load, decode, transform,
        store and deliver (waiting for the caller). Bars begin where the stage begins; ░ is the time until the first byte
        came. With --json there is an object for each beginning, first byte and end instead: load (a number), url, stage,
        phase, at (milliseconds since the program's first load), and for ends milliseconds, outcome (done, missed or
        failed), bytes and error.

        \(LoadingOptions.notes)
        """
    }

    var report = ReportOptions()
    var output: String?
    var format: ImageFormat?
    var quality: Int?
    var loading = LoadingOptions()
    var concurrency: Int?
    var isTraced = false
    private(set) var operands: [Operand] = []
    private(set) var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard !operands.isEmpty else { throw UsageError("no picture; give a URL or a path") }
        try loading.check()
        target = try OutputTarget(output, inputCount: operands.count)
        try checkOutputOptions()
        self.operands = operands.map(Operand.init)
    }

    private func checkOutputOptions() throws(UsageError) {
        if target == .none, loading.isRaw { throw UsageError("--raw needs an output; add -o FILE.pam") }
        if target == .none, format != nil { throw UsageError("--format needs an output; add -o FILE or -o DIR") }
        if target == .none, quality != nil { throw UsageError("--quality needs an output; add -o FILE or -o DIR") }
        guard loading.isRaw else { return }
        if loading.thumbnail != nil {
            throw UsageError("--raw writes the pixels as stored and --thumbnail does not; leave one of them out")
        }
        guard (format ?? target.format) == .pam else {
            throw UsageError("--raw writes PAM only; write -o FILE.pam or add --format pam")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, let code = console.refusePictureOnTerminal(Self.name, "-o -") { return code }
        console.printWarnings(idleWishes, report)
        do throws(WebImageError) {
            try target.makeDirectory()
            try loading.checkCache()
            let pipeline = LoadPipeline(
                loading, concurrency: concurrency,
                listener: isTraced ? TraceReport(console, isJSON: report.isJSON) : nil)
            return await LoadRun(command: self, console: console, pipeline: pipeline).run()
        } catch {
            console.printError(error.reason)
            return .failed
        }
    }

    /// The options without effect in the format of all pictures.
    private var idleWishes: [String] {
        guard let format = format ?? target.format else { return [] }
        var wishes = ConversionOptions()
        wishes.quality = quality
        wishes.pixels = loading.pixels
        return wishes.idleWishes(in: format)
    }
}
