import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage show`: draws pictures in the terminal.
struct ShowCommand: Command {
    static let name = "show"
    static let summary = "Draw pictures in the terminal"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        DrawingOptions.options(of: \.drawing, place: "each picture") + [
            .value("across", .integer(1...50), \.across, help: "pictures beside each other, 1 to 50"),
            .value("concurrency", .integer(1...64), \.concurrency, help: "loads at a time, 1 to 64; 6 by default"),
        ] + PictureList.options(of: \.pictures) + LoadingOptions.options(of: \.loading)
    }
    static var notes: String {
        """
        One picture is as large as the terminal allows. Several stand in a grid, in the order of the operands, with their names
        below; with --quiet there are no names. A picture that fails is told, and the others are shown. Of an animation it is
        the first frame. With - as PATH a picture is read from standard input.

        What the terminal can is known from its name (TERM and the like). Without a terminal, pictures are characters without
        colours, 80 columns wide, unless --format or --colors say otherwise. With NO_COLOR in the environment characters have
        no colours either.

        \(PictureList.notes)

        With --json nothing is drawn, and each picture is an object in a line: the fields of webimage load, and columns, rows
        and drawing, the characters and control sequences to send to a terminal.

        \(LoadingOptions.notes)
        """
    }

    var report = ReportOptions()
    var drawing = DrawingOptions()
    var across: Int?
    var concurrency: Int?
    var loading = LoadingOptions()
    var pictures = PictureList()
    var operands: [Operand] { pictures.operands }

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
        try loading.check()
        guard let across, let columns = drawing.size?.columns else { return }
        let width = across * (columns + PictureGrid.gap)
        guard width <= PictureGrid.mostColumns else {
            throw UsageError(
                "--across \(across) pictures of \(columns) columns take \(width), and \(PictureGrid.mostColumns) is the "
                    + "most; give smaller ones")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if operands.contains(where: \.wouldBeTyped) { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.loading.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            command.pictures = try await pictures.read()
            try command.loading.checkCache()
            return await command.show(on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    /// Shows the operands, which are all pictures now.
    private func show(on console: Console) async -> ExitCode {
        if operands.isEmpty { console.printWarnings(["the list names no picture"], report) }
        console.printWarnings(loading.caveats, report)
        let screen = drawing.screen(of: console)
        let grid = PictureGrid(
            count: report.isJSON ? 1 : operands.count, size: drawing.size, across: across, screen: screen)
        let run = run(drawing.fitting(in: grid, on: screen))
        let isWhole = await ProgressBoard.shown(on: console, isQuiet: report.isQuiet) { board in
            let hasNames = operands.count > 1 && !report.isQuiet
            var sheet = PictureSheet(grid, on: screen, hasNames: hasNames, console: console, report: report)
            await run.run(board) { sheet.take($0) }
            sheet.finish()
            return sheet.isWhole && !Task.isCancelled
        }
        return isWhole && !console.hasLostOutput ? .done : .failed
    }

    private func run(_ fitting: PictureFitting) -> ShowRun {
        ShowRun(
            operands: operands, concurrency: concurrency ?? 6, followsServer: loading.followsServer,
            pipeline: fitting.pipeline(loading, concurrency: concurrency), fitting: fitting)
    }
}
