import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage frames`: writes each frame of an animation, or each page of a document, to a file.
struct FramesCommand: Command {
    static let name = "frames"
    static let summary = "Write the frames of an animation or the pages of a document to files"
    static let synopsis = ["URL|PATH -o DIR [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "output", letter: "o", .text("DIR", completion: .directories), \.output,
                help: "the directory to write into; made when missing")
        ]
            + ConversionOptions.options(of: \.conversion, usualFormat: "png")
    }
    static let notes = """
        Frames are whole pictures, composed as a player shows them, and named after the file: NAME-0001.png, NAME-0002.png
        and so on. A still picture has one frame; of TIFF and PDF each page is one. With - as PATH the picture is read from
        standard input, and the files are called image-0001.png and so on.

        Each frame is told in one line: the file, how long it stands in an animation, its pixel size, its bytes. One that cannot
        be decoded is an error that says which, and those after it are written all the same. Files that exist are replaced,
        unless it is the picture itself; with --no-clobber they are left as they are.

        With --json each line is an object: output, index (from 0), milliseconds, width, height, bytes, frames (how many
        there are), loopCount (0 is for ever), kept (true where the file existed and is left as it is), and for failures
        error: {code, kind, stage, message, status}, with the index where it is that of a frame. Fields that do not apply are
        left out.
        """

    var report = ReportOptions()
    var output: String?
    var conversion = ConversionOptions()
    private var input = Operand("")

    mutating func prepare(operands: [String]) throws(UsageError) {
        try conversion.check()
        guard operands.count == 1 else { throw UsageError("\(operands.count) pictures; give one URL or path") }
        guard let output else { throw UsageError("no directory; add -o DIR") }
        guard output != "-" else { throw UsageError("-o - is no place for several files; give a directory: -o DIR") }
        input = Operand(operands[0])
        conversion.rules.inputs = Set([input].compactMap(\.file))
    }

    func run(on console: Console) async -> ExitCode {
        if input.wouldBeTyped { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.conversion.request.makeReady(on: console, command: Self.name) { return code }
        return await command.write(on: console)
    }

    private func write(on console: Console) async -> ExitCode {
        console.printWarnings(conversion.idleWishes(in: conversion.format ?? .png), about: input.name, report)
        do throws(WebImageError) {
            let directory = output ?? "."
            try OutputDirectory(directory).make()
            let file = try await PictureFile.read(input, conversion.request)
            console.printWarnings(file.caveats, about: input.name, report)
            let name = input.isStandardInput ? "image" : input.shortName.nameAndExtension.name
            let run = FramesRun(file: file, conversion: conversion, directory: directory, name: name)
            let isWhole = try await LongWork.run { cancellation throws(WebImageError) in
                try run.write(until: cancellation) { tell($0, on: console) }
            }
            return isWhole && !console.hasLostOutput ? .done : .failed
        } catch {
            if error.isCancelled { return .failed }
            console.printError("\(input.name): \(error.reason)")
            if report.isJSON {
                console.printLine(
                    JSON.line(FailureRecord(url: input.address, given: input.given, error: ErrorRecord(error))))
            }
            return .failed
        }
    }

    private struct FailureRecord: Encodable {
        let url: String
        let given: String
        let error: ErrorRecord
    }

    private func tell(_ record: FrameRecord, on console: Console) {
        if let complaint = record.complaint { console.printError("\(input.name): \(complaint)") }
        if report.isJSON {
            console.printLine(JSON.line(record))
        } else if record.error == nil, !report.isQuiet {
            console.printLine(record.line)
        }
    }
}
