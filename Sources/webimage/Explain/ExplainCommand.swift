import WebImage
import WebImageCommandLine

/// `webimage explain`: reports what loads would do, without doing it.
struct ExplainCommand: Command {
    static let name = "explain"
    static let summary = "Say what a load would do and why, without doing it"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        PictureList.options(of: \.pictures) + LoadingOptions.options(of: \.loading)
    }
    static var notes: String {
        """
        Tells what webimage load does with the same options: the names of the picture in the caches, where it is looked for
        and in which order, how it is loaded, decoded and transformed, what is written where, and what of the settings has
        no effect, or another one than it seems. Neither the disk nor the network is touched.

        With --json each line is an object: url, given (the operand as typed), names {original, result, memory}, options,
        reads and writes [{tier, picture, name, cache, found}], loads {loader, priority, timeout, cookies, progressive,
        refreshes, deniesPrivate, refusal}, decodes {coder, thumbnail, limit, format, firstFrameOnly, scale},
        notes [{note, text}], and where the load fails at once error: {code, kind, stage, message}. Fields that do not apply
        are left out.

        \(PictureList.notes)

        \(LoadingOptions.notes)
        """
    }

    var report = ReportOptions()
    var loading = LoadingOptions()
    var pictures = PictureList()
    var operands: [Operand] { pictures.operands }

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
        try loading.check()
    }

    func run(on console: Console) async -> ExitCode {
        do throws(WebImageError) {
            return explain(try await pictures.read().operands, on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    private func explain(_ operands: [Operand], on console: Console) -> ExitCode {
        console.printWarnings(loading.caveats, report)
        let pipeline = LoadPipeline(loading)
        var isDone = true
        for (index, operand) in operands.enumerated() {
            do throws(WebImageError) {
                tell(operand, try pipeline.explain(try operand.url.get()), isFirst: index == 0, on: console)
            } catch {
                console.printError("\(operand.name): \(error.reason)")
                if report.isJSON { console.printLine(JSON.line(ExplanationRecord(operand, error))) }
                isDone = false
            }
        }
        return isDone && !console.hasLostOutput ? .done : .failed
    }

    private func tell(_ operand: Operand, _ explanation: LoadExplanation, isFirst: Bool, on console: Console) {
        if report.isJSON { return console.printLine(JSON.line(ExplanationRecord(operand, explanation))) }
        if report.isQuiet { return }
        if !isFirst { console.printLine("") }
        console.printLine(explanation.text(columns: console.outputColumns))
    }
}

extension LoadExplanation {
    /// The plan in words, with lines broken at the terminal's width.
    ///
    /// - Parameter columns: nil for no line breaks.
    func text(columns: Int?) -> String {
        let width = sections.map(\.title.columnCount).max() ?? 0
        // The second line of a note is indented by two more. A very narrow terminal gets long lines instead of one word per
        // line.
        let room = columns.map { max(20, $0 - 1 - width - 6) } ?? Int.max
        return sections.reduce(into: address.printable) { text, section in
            var title = section.title
            for line in section.lines {
                for (number, part) in line.withoutControls.wrapped(to: room).enumerated() {
                    text += "\n  \(title.padded(to: width))  \(number == 0 ? "" : "  ")\(part)"
                    title = ""
                }
            }
        }
    }
}
