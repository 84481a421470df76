import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage convert`: reads a picture and writes it in another format, size or quality.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Write a picture in another format, size or quality"
    static let synopsis = ["URL|PATH FILE [OPTION…]"]
    static var options: [CommandOption<Self>] {
        ConversionOptions.options(of: \.conversion) + [
            .value(
                "max-size", .byteCount, \.maximumFileSize,
                help: "bytes, such as 500kB: the best quality at which a lossy format is no larger"),
            .value(
                "background", .color, \.background,
                help: "the colour under transparency where the format has none; ffffff by default"),
            .value(
                "page", .integer(1...65_536), \.page,
                help: "the page of a document (TIFF, and PDF where it is built in), 1 being the first"),
            .value(
                "tiff-compression", .tiffCompression, \.tiffCompression,
                help: "how TIFF is compressed: none, lzw or deflate; deflate by default"),
            .flag("first-frame", \.takesFirstFrame, help: "write an animation's first frame only"),
            .flag("embed-thumbnail", \.embedsThumbnail, help: "put a small copy into a JPEG file's metadata"),
        ]
    }
    static var notes: String {
        """
        The format is what FILE's extension says, or --format; with - as FILE, standard output, --format is needed. The
        formats are \(WritableFormat.list), HEIC
        only where this machine has an encoder for it. An animation stays one where the format can (GIF, PNG, WebP, AVIF,
        JPEG XL), unless --first-frame is given; others get its first frame.

        A picture that is written in its own format with nothing changed is the original file, byte for byte. Pictures are
        turned upright and their colours converted to sRGB, except with --raw. The cache is not used.

        With --json a line tells of the picture: url, output, format, width, height, frames, bytes, milliseconds, and for
        failures error: {code, kind, stage, message, status}.
        """
    }

    var report = ReportOptions()
    var conversion = ConversionOptions()
    var maximumFileSize: Int?
    var background: ImageEncodeOptions.BackgroundColor?
    var page: Int?
    var tiffCompression: ImageEncodeOptions.TIFFCompression?
    var takesFirstFrame = false
    var embedsThumbnail = false
    private var input = Operand("")
    private var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        try conversion.check()
        guard operands.count == 2 else {
            throw UsageError(
                "\(operands.count) operands; give the picture and the file to write: webimage convert IN OUT")
        }
        input = Operand(operands[0])
        target = try OutputTarget(operands[1], inputCount: 1)
        if case .directory(let path) = target {
            throw UsageError("\(path.printable) is a directory; give the name of the file to write")
        }
        if conversion.format == nil, target.format == nil {
            throw UsageError("\(operands[1].printable) names no format; add --format, such as --format png")
        }
        if maximumFileSize != nil, conversion.quality != nil {
            throw UsageError("--max-size finds the quality itself; leave --quality out")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, console.outputIsTerminal {
            console.printError("convert: - would write a picture to the terminal; redirect it or give a file name")
            return .usage
        }
        let clock = ContinuousClock()
        let start = clock.now
        var record = ConvertRecord(input)
        do throws(WebImageError) {
            if case .file(let path) = target { try OutputFile(path: path).check() }
            let file = try await PictureFile.read(input, timeout: conversion.timeout)
            let result = try await Self.offTasks { [work] cancellation throws(WebImageError) in
                try work.convert(file, cancellation)
            }
            record.output = try write(result.data, on: console)
            record.take(result, milliseconds: start.duration(to: clock.now).milliseconds)
            if let maximumFileSize, result.data.count > maximumFileSize {
                warn(of: result, maximumFileSize, on: console)
            }
        } catch {
            if error.isCancelled { return .failed }
            record.error = ErrorRecord(error)
            console.printError("\(input.name): \(error.reason)")
        }
        tell(record, on: console)
        return record.error == nil && !console.hasLostOutput ? .done : .failed
    }

    private var work: PictureConversion {
        var encodeOptions = conversion.encodeOptions
        encodeOptions.maxFileSize = maximumFileSize ?? 0
        encodeOptions.encodesFirstFrameOnly = takesFirstFrame
        encodeOptions.embedsThumbnail = embedsThumbnail
        if let background { encodeOptions.backgroundColor = background }
        if let tiffCompression { encodeOptions.tiffCompression = tiffCompression }
        var decodeOptions = conversion.decodeOptions
        decodeOptions.pageIndex = (page ?? 1) - 1
        return PictureConversion(
            format: conversion.format ?? target.format ?? .png, decodeOptions: decodeOptions,
            encodeOptions: encodeOptions, keepsOriginal: keepsOriginal)
    }

    private var keepsOriginal: Bool {
        conversion.keepsOriginal && maximumFileSize == nil && page == nil && tiffCompression == nil
            && !takesFirstFrame && !embedsThumbnail
    }

    private func warn(of result: PictureConversion.Result, _ maximum: Int, on console: Console) {
        let advice = "give --thumbnail or --max-pixel-size, or a format that loses more"
        console.printError(
            "\(input.name): \(result.data.count) bytes of \(result.format) are more than --max-size \(maximum); \(advice)"
        )
    }

    private func write(_ data: Data, on console: Console) throws(WebImageError) -> String {
        guard case .file(let path) = target else {
            try console.writeToOutput(data)
            return "-"
        }
        try OutputFile(path: path).write(data)
        return path
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

extension Command {
    /// Runs long work on a thread of its own kind: those of Swift's tasks must not be held up.
    ///
    /// - Parameter work: Gets a flag that is raised when the task is cancelled, as by Control-C.
    static func offTasks<Value: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws(WebImageError) -> Value
    ) async throws(WebImageError) -> Value {
        let queue = JobQueue(label: "webimage.\(name)", limit: 1)
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit {
                    continuation.resume(returning: Result { () throws(WebImageError) in try work(cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }.get()
    }
}
