import WebImage
import WebImageCommandLine

/// `webimage hash`: makes of each picture the few bytes that a page shows while it loads.
struct HashCommand: PictureReport {
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

    static let concurrency = 4

    func record(of operand: Operand) -> HashRecord { HashRecord(operand, recipe.kind) }

    func fill(
        _ record: inout HashRecord, from operand: Operand, on console: Console
    ) async throws(WebImageError) {
        let file = try await PictureFile.read(operand, request)
        console.printWarnings(file.caveats, about: operand.name, report)
        let finding = try await LongWork.run { [recipe] cancellation throws(WebImageError) in
            try recipe.finding(in: file, cancellation)
        }
        record.take(finding)
    }
}
