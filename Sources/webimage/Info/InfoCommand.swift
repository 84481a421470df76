import WebImage
import WebImageCommandLine

/// `webimage info`: reports a picture's properties without decoding it.
struct InfoCommand: Command {
    static let name = "info"
    static let summary = "Tell what pictures are, reading no more of them than that takes"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        PictureList.options(of: \.pictures) + RequestOptions.options(of: \.request)
    }
    static let notes = """
        Tells format, pixel size as a person sees it, frames, loop count (0 is for ever) and frame durations of animations,
        alpha, bits per channel, orientation tag (1 to 8), name of the ICC profile, and bytes. Of a camera's RAW file, which
        its name tells from a TIFF, it is the preview's. With - as PATH the picture is read from standard input. The cache is
        not used.

        \(PictureList.notes)

        With --json each line is an object: url, given (the operand as typed), format, width, height, frames, loopCount,
        frameDurations in milliseconds, hasAlpha, bitsPerChannel, orientation, iccProfile, bytes, and for failures error:
        {code, kind, stage, message, status}. Fields that do not apply are left out.
        """

    var report = ReportOptions()
    var request = RequestOptions()
    var pictures = PictureList()
    var operands: [Operand] { pictures.operands }

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
    }

    func run(on console: Console) async -> ExitCode {
        if operands.contains(where: \.wouldBeTyped) { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            return await command.look(at: try await pictures.read().operands, on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    private func look(at operands: [Operand], on console: Console) async -> ExitCode {
        let loader = ImageLoadersManager.shared
        var outcomes: [Int: Outcome] = [:]
        var told = 0
        await Array(operands.indices).forEachConcurrently(limit: 6) { index in
            await look(at: operands[index], loader)
        } receive: { index, outcome in
            outcomes[index] = outcome
            // Prints in the order of the operands, each as soon as all before it are known.
            while let next = outcomes[told] {
                tell(next, operands[told], on: console)
                told += 1
            }
        }
        let isDone = outcomes.count == operands.count && outcomes.values.allSatisfy { $0.error == nil }
        return isDone && !console.hasLostOutput ? .done : .failed
    }

    private struct Outcome: Sendable {
        var record: InfoRecord
        var error: WebImageError?
    }

    private func look(at operand: Operand, _ loader: any ImageLoader) async -> Outcome {
        var outcome = Outcome(record: InfoRecord(operand))
        do throws(WebImageError) {
            outcome.record.take(try await find(operand, loader), formatOfName: operand.formatOfName)
        } catch {
            outcome.error = error
            outcome.record.error = ErrorRecord(error)
        }
        return outcome
    }

    private func find(
        _ operand: Operand, _ loader: any ImageLoader
    ) async throws(WebImageError) -> PropertiesReader.Finding {
        let coder = ImageCodersManager.shared
        if operand.isStandardInput {
            return try PropertiesReader.read(try await PictureFile.read(operand, request).data, coder: coder)
        }
        return try await PropertiesReader.read(try operand.url.get(), request, loader: loader, coder: coder)
    }

    private func tell(_ outcome: Outcome, _ operand: Operand, on console: Console) {
        if let error = outcome.error {
            guard !error.isCancelled else { return }
            console.printError("\(operand.name): \(error.reason)")
        }
        if report.isJSON {
            console.printLine(JSON.line(outcome.record))
        } else if outcome.error == nil, !report.isQuiet {
            console.printLine(outcome.record.text(name: operand.name))
        }
    }
}
