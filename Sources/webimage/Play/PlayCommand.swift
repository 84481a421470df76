import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage play`: plays animations in the terminal.
struct PlayCommand: Command {
    static let name = "play"
    static let summary = "Play animations in the terminal"
    static let synopsis = ["URL|PATH… [OPTION…]", "--from LIST|- [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value(
                "loops", .integer(0...1_000_000), \.loops,
                help: "how often to play; 0 for endless. By default what the file says on a terminal,\nand once without"
            ),
            .value("rate", .number(0.01...100), \.rate, help: "the speed, 0.01 to 100; 1 by default"),
            .value("mode", .playbackMode, \.mode, help: "normal (the default), reverse, bounce or reversedBounce"),
            .value(
                "late", .lateFrames, \.late,
                help: "what happens to frames that come too late: skip (the default), or wait, which\nplays slower"),
            .flag("stats", \.hasStatistics, help: "tell at the end how well it was played"),
        ] + DrawingOptions.options(of: \.drawing, place: "the animation") + PictureList.options(of: \.pictures)
            + LoadingOptions.options(of: \.loading)
    }
    static var notes: String {
        """
        Animations are played one after the other, each below the one before, with the number of the frame. Keys: space pauses,
        the right and the left arrow step by a frame, + and - change the speed, = sets it back to 1, n goes to the next
        animation, and q ends. A picture that does not move is shown. Videos (WebM, MP4) are animations without sound.

        Without a terminal, or with --json, nothing is drawn, and the animations are played all the same: in their own time,
        decoded as for a terminal of 80 columns. With --json each is an object in a line: the fields of webimage load, and
        frames, loops, shown, late (by more than 4 ms), skipped, decodedFrames, decodeMilliseconds (for a frame), bufferBytes
        (the most) and seconds.

        \(PictureList.notes)

        \(LoadingOptions.notes)
        """
    }

    var report = ReportOptions()
    var loops: Int?
    var rate: Double?
    var mode: AnimatedImagePlaybackMode?
    var late: LateFramePolicy?
    var hasStatistics = false
    var drawing = DrawingOptions()
    var loading = LoadingOptions()
    var pictures = PictureList()
    var operands: [Operand] { pictures.operands }

    mutating func prepare(operands: [String]) throws(UsageError) {
        try pictures.take(operands)
        try loading.check()
    }

    func run(on console: Console) async -> ExitCode {
        if operands.contains(where: \.wouldBeTyped) { return console.refuse(.typedPicture, command: Self.name) }
        var command = self
        if let code = await command.loading.request.makeReady(on: console, command: Self.name) { return code }
        do throws(WebImageError) {
            command.pictures = try await pictures.read()
            try command.loading.checkCache()
            return await command.play(on: console)
        } catch {
            return console.fail(Self.name, error)
        }
    }

    /// Plays the operands, which are all pictures now.
    private func play(on console: Console) async -> ExitCode {
        if operands.isEmpty { console.printWarnings(["the list names no picture"], report) }
        console.printWarnings(loading.caveats, report)
        let screen = drawing.screen(of: console)
        // A line is for the number of the frame.
        let grid = PictureGrid(count: 2, size: drawing.size ?? whole(screen), across: 1, screen: screen)
        let fitting = drawing.fitting(in: grid, on: screen)
        let isDrawn = console.outputIsTerminal && !report.isJSON
        let run = await PlayRun(
            settings: settings(isDrawn: isDrawn), pipeline: fitting.pipeline(loading), fitting: fitting,
            stage: isDrawn ? PlayStage(grid, on: screen, console: console) : nil)
        let isWhole = await run.play(operands) { record in
            if let error = record.load.error { console.printError("\(record.load.given): \(error.message)") }
            tell(record, on: console)
        }
        return isWhole && !Task.isCancelled && !console.hasLostOutput ? .done : .failed
    }

    private func tell(_ record: PlayRecord, on console: Console) {
        if report.isJSON { return console.printLine(JSON.line(record)) }
        if hasStatistics, let line = record.line { console.printLine(line) }
    }

    private func whole(_ screen: PictureScreen) -> CellBox {
        CellBox(columns: screen.columns, rows: max(1, screen.rows - 1))
    }

    private func settings(isDrawn: Bool) -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.playbackRate = rate ?? 1
        settings.playbackMode = mode ?? .normal
        settings.lateFramePolicy = late ?? .keepClock
        settings.animationRepeatCount = loops ?? (isDrawn ? nil : 1)
        return settings
    }
}

extension OptionValue where Value == AnimatedImagePlaybackMode {
    /// An order of frames.
    static var playbackMode: Self {
        word(
            "MODE",
            ["normal": .normal, "reverse": .reverse, "bounce": .bounce, "reversedBounce": .reversedBounce])
    }
}

extension OptionValue where Value == LateFramePolicy {
    /// The handling of late frames.
    static var lateFrames: Self { word("WAY", ["skip": .keepClock, "wait": .neverSkip]) }
}
