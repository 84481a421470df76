import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage convert`: reads a picture and writes it in another format, size or quality.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Write a picture in another format, size or quality"
    static let synopsis = ["URL|PATH FILE [OPTION…]"]
    static var options: [CommandOption<Self>] {
        ConversionOptions.options(of: \.conversion, usualFormat: "what FILE's extension says") + [
            .value(
                "max-size", .byteCount, \.maximumFileSize,
                help: "bytes, such as 500kB: the best quality at which a lossy format is no larger"),
            .value(
                "page", .integer(1...65_536), \.page,
                help: "the page of a document (TIFF, and PDF where it is built in), 1 being the first"),
            .flag("first-frame", \.takesFirstFrame, help: "write an animation's first frame only"),
        ] + EditOptions.options(of: \.edits)
    }
    static let notes = """
        \(EditOptions.notes)

        The format is what FILE's extension says, or --format; with - as FILE, standard output, --format is needed. With - as
        PATH the picture is read from standard input. HEIC is written only where this machine has an encoder for it. An
        animation stays one where the format can (GIF, PNG, WebP, AVIF, JPEG XL), unless --first-frame is given; others get
        its first frame.

        A picture that is written in its own format and size with nothing changed is the original file, byte for byte.
        Others are turned upright and their colours converted to sRGB, except with --raw, --hdr or --wide-gamut. The cache is
        not used. What is asked for and changes nothing in the format is told in a line that begins with "warning:", and so
        is a file that no quality makes as small as --max-size; it is written all the same.

        FILE's directory is made where it is missing. A file that exists is replaced as a whole and keeps its mode; where its
        name is a symbolic link, the link stays. The picture itself is not written over, by whatever name, without --force.

        With --json a line tells of the picture: url, given (the operand as typed), output, format, width, height, frames,
        bytes (written), bytesRead, kept (true where the output existed and is left as it is), exceedsMaxSize (with
        --max-size: whether the file is larger), milliseconds, and for failures error: {code, kind, stage, message,
        status}. Fields that do not apply are left out.
        """

    var report = ReportOptions()
    var conversion = ConversionOptions()
    var maximumFileSize: Int?
    var page: Int?
    var edits = EditOptions()
    private var editing = PictureEditing()
    var takesFirstFrame = false
    private var input = Operand("")
    private var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        try conversion.check()
        try edits.check()
        guard operands.count == 2 else {
            throw UsageError(
                "\(operands.count) operand\(operands.count == 1 ? "" : "s"); give the picture and the file to write: "
                    + "webimage convert IN OUT")
        }
        guard !operands[1].isEmpty else { throw UsageError("the name of the file to write is empty") }
        input = Operand(operands[0])
        target = try OutputTarget(operands[1], inputCount: 1)
        if case .directory(let path) = target {
            throw UsageError("\(path.printable) is a directory; give the name of the file to write")
        }
        conversion.rules.inputs = Set(([input] + edits.overlays).compactMap(\.file))
        try target.check(conversion.rules)
        if conversion.format == nil, target.format == nil {
            throw UsageError("\(operands[1].printable) names no format; add --format, such as --format png")
        }
        if maximumFileSize != nil, conversion.quality != nil {
            throw UsageError("--max-size finds the quality itself; leave --quality out")
        }
        if maximumFileSize != nil, conversion.isLossless {
            throw UsageError("--lossless keeps every pixel and --max-size gives some up; leave one of them out")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, let code = console.refusePictureOnTerminal(Self.name, "-") { return code }
        if input.wouldBeTyped {
            return console.refuse(.typedPicture, command: Self.name)
        }
        var command = self
        if let code = await command.conversion.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            command.editing = try await edits.ready(command.conversion.request)
            return await command.convert(on: console)
        } catch {
            if report.isJSON, !error.isCancelled {
                var record = ConvertRecord(input)
                record.error = ErrorRecord(error)
                tell(record, on: console)
            }
            return console.fail(Self.name, error)
        }
    }

    private func convert(on console: Console) async -> ExitCode {
        console.printWarnings(conversion.idleWishes(in: format), about: input.name, report)
        var record = ConvertRecord(input)
        do throws(WebImageError) {
            if try !keepsOutput(&record) { try await convert(on: console, &record) }
        } catch {
            if error.isCancelled { return .failed }
            record.error = ErrorRecord(error)
            console.printError("\(input.name): \(error.reason)")
        }
        tell(record, on: console)
        return record.error == nil && !console.hasLostOutput ? .done : .failed
    }

    /// Whether the output exists and is left as it is; otherwise checks that it can be written.
    private func keepsOutput(_ record: inout ConvertRecord) throws(WebImageError) -> Bool {
        guard case .file(let path) = target else { return false }
        let file = OutputFile(path: path, rules: conversion.rules)
        if file.isKept {
            record.output = path
            record.kept = true
            return true
        }
        try file.check()
        return false
    }

    private func convert(on console: Console, _ record: inout ConvertRecord) async throws(WebImageError) {
        let clock = ContinuousClock()
        let start = clock.now
        let (file, result) = try await ProgressBoard.shown(on: console, isQuiet: report.isQuiet) { board in
            await convert(board?.add(input.shortName), on: console)
        }.get()
        record.bytesRead = file.data.count
        if try !write(result.data, &record, on: console) { return }
        record.take(result, milliseconds: start.duration(to: clock.now).milliseconds)
        if let maximumFileSize {
            let isTooLarge = result.data.count > maximumFileSize
            record.exceedsMaxSize = isTooLarge
            if isTooLarge { warn(of: result, maximumFileSize, on: console) }
        }
    }

    private func convert(
        _ bar: ProgressBoard.Entry?, on console: Console
    ) async -> Result<(PictureFile, PictureConversion.Result), WebImageError> {
        do throws(WebImageError) {
            let file = try await PictureFile.read(input, conversion.request) { bar?.update($0) }
            console.printWarnings(file.caveats, about: input.name, report)
            let result = try await LongWork.run { [work] cancellation throws(WebImageError) in
                try work.convert(file, cancellation) { bar?.begin($0) }
            }
            return .success((file, result))
        } catch {
            return .failure(error)
        }
    }

    private var work: PictureConversion {
        var encodeOptions = conversion.encodeOptions
        encodeOptions.maxFileSize = maximumFileSize
        encodeOptions.encodesFirstFrameOnly = takesFirstFrame
        var decodeOptions = conversion.decodeOptions
        decodeOptions.pageIndex = (page ?? 1) - 1
        return PictureConversion(
            format: format, decodeOptions: decodeOptions, encodeOptions: encodeOptions,
            editing: editing, rewrites: conversion.rewrites(format) || !editing.isEmpty,
            takesPart: page != nil || takesFirstFrame)
    }

    private var format: ImageFormat { conversion.format ?? target.format ?? .png }

    private func warn(of result: PictureConversion.Result, _ maximum: Int, on console: Console) {
        let advice =
            WritableFormat.lossy.contains(result.format)
            ? "give --thumbnail or --max-pixel-size, or a format that loses more"
            : "it has no quality to lower: give --thumbnail or --max-pixel-size, or write a lossy format such as webp"
        let finding = "\(result.data.count) bytes of \(result.format) are more than --max-size \(maximum); \(advice)"
        console.printWarnings([finding], about: input.name, report)
    }

    /// - Returns: Whether it was written; false where a file has come there meanwhile and is kept.
    private func write(
        _ data: Data, _ record: inout ConvertRecord, on console: Console
    ) throws(WebImageError) -> Bool {
        guard case .file(let path) = target else {
            try console.writeToOutput(data)
            record.output = "-"
            return true
        }
        let isWritten = try OutputFile(path: path, rules: conversion.rules).write(data)
        record.output = path
        if !isWritten { record.kept = true }
        return isWritten
    }

    private func tell(_ record: ConvertRecord, on console: Console) {
        let line: String
        if report.isJSON {
            line = JSON.line(record)
        } else if record.error == nil, !report.isQuiet {
            line = record.line(name: input.name)
        } else {
            return
        }
        if target == .standardOutput { console.printLineBesideOutput(line) } else { console.printLine(line) }
    }
}
