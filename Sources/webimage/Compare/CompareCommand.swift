import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage compare`: measures how much two pictures differ.
struct CompareCommand: Command {
    static let name = "compare"
    static let summary = "Measure how much two pictures differ, and draw the differences"
    static let synopsis = ["URL|PATH URL|PATH [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "output", letter: "o", .text("FILE", completion: .files), \.output,
                help: "write a picture of the differences to FILE; - is standard output"),
            .value(
                "format", .format(WritableFormat.byName), \.format,
                help: "the format of FILE (\(WritableFormat.list())); by default\nwhat its extension says"),
            .value(
                "amplify", .integer(1...255), \.factor,
                help: "how many times larger the picture shows the differences, 1 to 255; 8 by default"),
        ] + ComparisonLimits.options(of: \.limits) + OutputRules.options(of: \.rules)
            + RequestOptions.options(of: \.request)
    }
    static let notes = """
        Compares the pictures as they are shown: turned upright, in sRGB, and with colours multiplied by alpha, so that those
        under transparent pixels count for nothing. Both must have the same size. Where either has 16 bits a channel, both are
        compared in 16 bits, and differences are of 65535 instead of 255. Of an animation it is the first frame. With - as
        PATH one of them is read from standard input. The cache is not used.

        PSNR is that of all channels together, in decibels; alpha is among them unless both pictures are opaque. SSIM is that
        of Wang, Bovik, Sheikh and Simoncelli (2004): of luma (ITU-R BT.601), under a Gaussian window of 11×11 pixels with
        σ 1.5, at full size, without padding; 1 for the same pixels. Transparent pictures are compared over black and over
        white, and the smaller value counts. A picture with a side of less than 11 pixels has none.

        The picture of the differences is black where the pictures are the same. Elsewhere it has the difference of each
        colour, or that of alpha where it is larger, times --amplify.

        The exit status is 0 also for pictures that differ, and 1 where --psnr, --ssim or --threshold is not kept.

        With --json a line tells of both: first and second (each with url and given, the operand as typed), width, height,
        bits (per channel), psnr (left out for the same pixels, where it is infinite), ssim, largestDifference {red, green,
        blue, alpha}, differentPixels, output, bytesWritten, kept (true where the output existed and is left as it is), missed
        (the limits that are not kept), and for failures error: {code, kind, stage, message, status}. Fields that do not apply
        are left out.
        """

    var report = ReportOptions()
    var output: String?
    var format: ImageFormat?
    var factor: Int?
    var limits = ComparisonLimits()
    var rules = OutputRules()
    var request = RequestOptions()
    private var inputs: [Operand] = []
    private var target = OutputTarget.none

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard operands.count == 2 else {
            throw UsageError("\(operands.count) picture\(operands.count == 1 ? "" : "s"); give the two to compare")
        }
        inputs = operands.map(Operand.init)
        guard !inputs.allSatisfy(\.isStandardInput) else {
            throw UsageError("standard input is read once; give - for one of the pictures")
        }
        try rules.check()
        rules.inputs = Set(inputs.compactMap(\.file))
        try prepareOutput()
    }

    private mutating func prepareOutput() throws(UsageError) {
        target = try OutputTarget(output, inputCount: 1)
        try target.check(rules)
        switch target {
        case .none:
            let option =
                factor != nil ? "--amplify" : format != nil ? "--format" : rules.isForced ? "--force" : nil
            if let option { throw UsageError("\(option) is of the picture of the differences; add -o FILE") }
            if rules.keepsExisting { throw UsageError("--no-clobber needs an output; add -o FILE") }
        case .directory(let path):
            throw UsageError("\(path.printable) is a directory; give the name of the file to write")
        case .file(let path) where format == nil && target.format == nil:
            throw UsageError("\(path.printable) names no format; add --format, such as --format png")
        case .file, .standardOutput: break
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, let code = console.refusePictureOnTerminal(Self.name, "-o -") { return code }
        if inputs.contains(where: \.wouldBeTyped) { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.request.makeReady(on: console, command: Self.name) { return code }
        return await command.compare(on: console)
    }

    private func compare(on console: Console) async -> ExitCode {
        var record = ComparisonRecord(inputs[0], inputs[1])
        do throws(WebImageError) {
            let isKept = try keepsOutput(&record)
            let draws = target != .none && !isKept
            let work = PictureComparison(
                first: inputs[0], second: inputs[1], request: request, factor: draws ? factor ?? 8 : nil,
                format: format ?? target.format ?? .png)
            let findings = try await work.run()
            record.take(findings)
            if let picture = findings.picture { try write(picture, &record, on: console) }
        } catch {
            if error.isCancelled { return .failed }
            record.error = ErrorRecord(error)
            console.printError(error.reason)
        }
        let missed = limits.missed(by: record)
        for miss in missed { console.printError("\(record.names): \(miss.complaint)") }
        record.missed = missed.isEmpty ? nil : missed.map(\.name)
        tell(record, on: console)
        return record.error == nil && missed.isEmpty && !console.hasLostOutput ? .done : .failed
    }

    /// Whether the output exists and is left as it is; otherwise checks that it can be written.
    private func keepsOutput(_ record: inout ComparisonRecord) throws(WebImageError) -> Bool {
        guard case .file(let path) = target else { return false }
        let file = OutputFile(path: path, rules: rules)
        if file.isKept {
            record.take(output: path, byteCount: nil)
            return true
        }
        try file.check()
        return false
    }

    private func write(_ data: Data, _ record: inout ComparisonRecord, on console: Console) throws(WebImageError) {
        guard case .file(let path) = target else {
            try console.writeToOutput(data)
            record.take(output: "-", byteCount: data.count)
            return
        }
        let isWritten = try OutputFile(path: path, rules: rules).write(data)
        record.take(output: path, byteCount: isWritten ? data.count : nil)
    }

    private func tell(_ record: ComparisonRecord, on console: Console) {
        let text: String
        if report.isJSON {
            text = JSON.line(record)
        } else if record.error == nil, !report.isQuiet {
            text = record.text
        } else {
            return
        }
        if target == .standardOutput { console.printLineBesideOutput(text) } else { console.printLine(text) }
    }
}
