import WebImage
import WebImageCommandLine

/// `webimage hash`: makes of each picture the few bytes that a page shows while it loads.
struct HashCommand: Command {
    static let name = "hash"
    static let summary = "Make of pictures the few bytes that stand in for them while they load"
    static let synopsis = ["thumb|blur|color URL|PATH… [OPTION…]", "thumb|blur|color --from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "components", .waveCounts, \.recipe.components,
                help: "of blur: the waves across and down, 1 to 9 each; 4x3 by default"),
            .value(
                "colors", .integer(1...32), \.recipe.colorCount,
                help: "of color: the most colours of the palette; 5 by default"),
        ] + PictureList.options(of: \.pictures) + RequestOptions.options(of: \.request)
    }
    static let notes = """
        thumb makes a ThumbHash in Base64 (about 28 characters, with proportions and alpha), blur a BlurHash (28 characters for
        4x3), color the mean colour, and the most frequent ones with their shares; colours that look alike are one. Of an
        animation it is the first frame. With - as PATH the picture is read from standard input. The cache is not used.

        Each picture is told in a line: the hash, then the name; of color the mean, then the palette, then the name.

        \(PictureList.notes)

        With --json each line is an object: url, given (the operand as typed), kind (thumb, blur or color), hash, average,
        palette: [{color, share}], and for failures error: {code, kind, stage, message, status}. Colours are #rrggbb, or
        #rrggbbaa where they are not opaque; shares are 0 to 1. Fields that do not apply are left out.
        """

    var report = ReportOptions()
    var request = RequestOptions()
    var pictures = PictureList()
    var recipe = HashRecipe()

    mutating func prepare(operands: [String]) throws(UsageError) {
        let kinds = HashKind.allCases.map(\.rawValue)
        guard let word = operands.first else { throw UsageError("no kind of hash; give \(kinds.inWords("or"))") }
        guard let kind = HashKind(rawValue: word) else {
            let advice =
                Suggestion(for: word, among: kinds).question ?? "give \(kinds.inWords("or")) before the pictures"
            throw UsageError("no hash \(word.printable); \(advice)")
        }
        recipe.kind = kind
        if recipe.components != nil, kind != .blur {
            throw UsageError("--components are those of blur; leave it out, or write webimage hash blur")
        }
        if recipe.colorCount != nil, kind != .color {
            throw UsageError("--colors is the palette of color; leave it out, or write webimage hash color")
        }
        try pictures.take(Array(operands.dropFirst()))
    }

    func run(on console: Console) async -> ExitCode {
        if pictures.operands.contains(where: \.wouldBeTyped) {
            return console.refuse(.typedPicture, command: Self.name)
        }
        var command = self
        if let code = await command.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            return await command.hash(try await pictures.read().operands, on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    private func hash(_ operands: [Operand], on console: Console) async -> ExitCode {
        var outcomes: [Int: Outcome] = [:]
        var told = 0
        await Array(operands.indices).forEachConcurrently(limit: 4) { index in
            await hash(operands[index], on: console)
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
        var record: HashRecord
        var error: WebImageError?
    }

    private func hash(_ operand: Operand, on console: Console) async -> Outcome {
        var outcome = Outcome(record: HashRecord(operand, recipe.kind))
        do throws(WebImageError) {
            let file = try await PictureFile.read(operand, request)
            console.printWarnings(file.caveats, about: operand.name, report)
            let finding = try await LongWork.run { [recipe] cancellation throws(WebImageError) in
                try recipe.finding(in: file, cancellation)
            }
            outcome.record.take(finding)
        } catch {
            outcome.error = error
            outcome.record.error = ErrorRecord(error)
        }
        return outcome
    }

    private func tell(_ outcome: Outcome, _ operand: Operand, on console: Console) {
        if let error = outcome.error {
            guard !error.isCancelled else { return }
            console.printError("\(operand.name): \(error.reason)")
        }
        if report.isJSON {
            console.printLine(JSON.line(outcome.record))
        } else if outcome.error == nil, !report.isQuiet {
            console.printLine(outcome.record.line(name: operand.name))
        }
    }
}
