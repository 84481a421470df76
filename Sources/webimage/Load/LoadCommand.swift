import WebImage
import WebImageCommandLine

/// `webimage load`: loads pictures, reports their source, and writes them to files.
struct LoadCommand: Command {
    static let name = "load"
    static let summary = "Load pictures through the cache and write them to files"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "output", letter: "o", .text("FILE|DIR", completion: .files), \.output,
                help: "write to FILE, or into DIR (an existing one, or with a / at its end);\n- is standard output")
        ] + OutputRules.options(of: \.rules) + [
            .value(
                "format", .format(WritableFormat.byName), \.format,
                help: "the format to write (\(WritableFormat.list())); by default\nwhat FILE's extension says"),
            .value("quality", .integer(1...100), \.quality, help: "quality of lossy formats, 1 to 100; 80 by default"),
            .flag(
                "raw", \.loading.isRaw,
                help: "write the pixels as stored: not turned, no colour conversion; needs\n-o FILE.pam"
            ),
            .value("concurrency", .integer(1...64), \.concurrency, help: "loads at a time, 1 to 64; 6 by default"),
            .flag("trace", \.isTraced, help: "show on standard error how long each stage of each load takes"),
        ] + EditOptions.options(of: \.edits) + PictureList.options(of: \.pictures)
            + LoadingOptions.options(of: \.loading)
    }
    static var notes: String {
        """
        \(EditOptions.notes)

        A picture that is written in its own format and size, with nothing changed, is the original file, byte for byte.
        Without --format and without an extension that names a format, pictures keep theirs. Files in DIR are named after
        the last part of the URL; names that would be the same get -2, -3 and so on. Directories that are missing are made.

        A file that exists is replaced as a whole and keeps its mode; where its name is a symbolic link, the link stays. A
        picture that is read is not written over, by whatever name, without --force. With --no-clobber files that exist are
        left as they are, and their pictures are not loaded where the name is known before.

        With - as PATH a picture is read from standard input.

        \(PictureList.notes)

        Each picture is told in one line as its load ends: where it came from (network, disk, memory, file, data, input),
        bytes read, pixel size, milliseconds, address, and the file written with its bytes. The same URL given twice is
        loaded once; the second is told as from memory. With -o - these lines go to standard error.

        With --json each line is an object: url, given (the operand as typed), source, bytes (read), width, height, format,
        milliseconds, output, bytesWritten, kept (true where the output existed and is left as it is), transfer (where a
        server was asked: queued, lookup, connect, tls, firstByte and total in milliseconds, reused, protocol, address,
        redirects, and sent, the bytes of the body on the wire), and for failures error: {code, kind, stage, message,
        status}. Fields that do not apply are left out.

        With --http-cache it also says validated (whether the server has said that the cached picture is current), stale
        (whether a picture was shown that is older than its server allows) and, where it was shown before the server
        answered (stale-while-revalidate), changed (whether the server then had another one).

        With --trace each load is told on standard error as it ends, a line for each stage: intercept (an interceptor that
        has taken the load over), memory, disk, original (the file that a thumbnail is made of), load, decode, transform,
        store and deliver (waiting for the caller). Bars begin where the stage begins; ░ is the time until the first byte
        came, and before it, · the wait for a free place, ▁ the look-up of the host, ▂ the connection, ▃ the TLS
        handshake. With --json there is an object for each beginning, first byte and end instead: load (a number), url, stage,
        phase, at (milliseconds since the program's first load), and for ends milliseconds, outcome (done, missed,
        notModified or failed), bytes, transfer and error.

        \(LoadingOptions.notes)
        """
    }

    var report = ReportOptions()
    var output: String?
    var format: ImageFormat?
    var quality: Int?
    var rules = OutputRules()
    var edits = EditOptions()
    private(set) var editing = PictureEditing()
    var loading = LoadingOptions()
    var pictures = PictureList()
    var concurrency: Int?
    var isTraced = false
    var operands: [Operand] { pictures.operands }
    private(set) var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
        try loading.check()
        try edits.check()
        target = try OutputTarget(output, inputCount: operands.count)
        try checkOutputOptions()
        rules.inputs = pictures.files.union(edits.overlays.compactMap(\.file))
        try target.check(rules)
    }

    private func checkOutputOptions() throws(UsageError) {
        try rules.check()
        if target == .none, rules.isForced { throw UsageError("--force needs an output; add -o FILE or -o DIR") }
        if target == .none, rules.keepsExisting {
            throw UsageError("--no-clobber needs an output; add -o FILE or -o DIR")
        }
        if target == .none, loading.isRaw { throw UsageError("--raw needs an output; add -o FILE.pam") }
        if target == .none, format != nil { throw UsageError("--format needs an output; add -o FILE or -o DIR") }
        if target == .none, quality != nil { throw UsageError("--quality needs an output; add -o FILE or -o DIR") }
        if target == .none, !edits.isEmpty {
            throw UsageError("what changes pixels needs an output; add -o FILE or -o DIR")
        }
        guard loading.isRaw else { return }
        if !edits.isEmpty {
            throw UsageError("--raw writes the pixels as stored; leave it or what changes pixels out")
        }
        if loading.thumbnail != nil {
            throw UsageError("--raw writes the pixels as stored and --thumbnail does not; leave one of them out")
        }
        guard (format ?? target.format) == .pam else {
            throw UsageError("--raw writes PAM only; write -o FILE.pam or add --format pam")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, let code = console.refusePictureOnTerminal(Self.name, "-o -") { return code }
        if operands.contains(where: \.wouldBeTyped) { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.loading.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            command.pictures = try await pictures.read()
        } catch {
            return console.fail(Self.name, error)
        }
        do throws(WebImageError) {
            command.editing = try await edits.ready(command.loading.request)
            return await command.load(on: console)
        } catch {
            if report.isJSON, !error.isCancelled { command.tellAll(error, on: console) }
            return console.fail(Self.name, error)
        }
    }

    /// A failure before the loads begin is one of each picture.
    private func tellAll(_ error: WebImageError, on console: Console) {
        for operand in operands {
            var record = LoadRecord(operand)
            record.take(error, isRepetition: true)
            let line = JSON.line(record)
            if target == .standardOutput { console.printLineBesideOutput(line) } else { console.printLine(line) }
        }
    }

    /// Loads the operands, which are all pictures now.
    private func load(on console: Console) async -> ExitCode {
        do throws(UsageError) {
            try target.check(inputCount: operands.count)
        } catch {
            return console.refuse(error, command: Self.name)
        }
        if operands.isEmpty { console.printWarnings(["the list names no picture"], report) }
        console.printWarnings(idleWishes + loading.caveats, report)
        var command = self
        if target != .none { command.rules.inputs.formUnion(pictures.files) }
        do throws(WebImageError) {
            try target.makeDirectory()
            try loading.checkCache()
            let pipeline = LoadPipeline(
                loading, editing: editing, concurrency: concurrency,
                listener: isTraced ? TraceReport(console, isJSON: report.isJSON) : nil)
            return await LoadRun(command: command, console: console, pipeline: pipeline).run()
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
