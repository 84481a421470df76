import WebImage
import WebImageCommandLine

/// `webimage transition`: draws a transition as a view shows it.
struct TransitionCommand: Command {
    static let name = TransitionOptions.name
    static let summary = TransitionOptions.summary
    static let synopsis = TransitionOptions.synopsis
    static var options: [CommandOption<Self>] { TransitionOptions.options(of: \.settings) }
    static var notes: String { TransitionOptions.notes }
    static var operands: ValueCompletion { .nothing }

    var report = ReportOptions()
    var settings = TransitionOptions()
    private(set) var target = FrameTarget.standardOutput
    /// Frames a second that are all longer than 10 ms, in whole milliseconds.
    private static let fastestAnimation = 90

    mutating func prepare(operands: [String]) throws(UsageError) {
        if let operand = operands.first {
            throw UsageError("\(operand.printable): pictures are given as --from \(operand.printable) or --to …")
        }
        guard settings.from != nil || settings.to != nil else {
            throw UsageError("no picture; give --from PATH and --to PATH")
        }
        guard let output = settings.output else { throw UsageError("no output; add -o FILE.webp, or -o DIR/ for PNGs") }
        target = try FrameTarget(output)
        if !target.isAnimation, settings.hold != nil {
            throw UsageError("--hold is for animations; write -o FILE.webp")
        }
        if !target.isAnimation, settings.quality != nil {
            throw UsageError("--quality is for animations; PNG loses nothing")
        }
        if target.isAnimation, let rate = settings.framesPerSecond, rate > Self.fastestAnimation {
            throw UsageError(
                "--fps \(rate) is for PNGs: readers play an animation's frames of 10 ms and less as 100 ms; "
                    + "write --fps \(Self.fastestAnimation) or less, or -o DIR/")
        }
        if let size = settings.size { try checkPixels(size) }
        try settings.rules.check()
        try checkInputs(output)
    }

    /// Refuses to write over a picture of the transition.
    private mutating func checkInputs(_ output: String) throws(UsageError) {
        let inputs = [("--from", settings.from), ("--to", settings.to)].map { option, address in
            (option, address.flatMap { Operand($0).file })
        }
        settings.rules.inputs = Set(inputs.compactMap(\.1))
        if target == .standardOutput { try settings.rules.checkStandardOutput() }
        guard !settings.rules.isForced, !settings.rules.keepsExisting else { return }
        let outputs = Set(target.files(frameCount: schedule.frames.count).compactMap(FileIdentity.init))
        for case (let option, let file?) in inputs where outputs.contains(file) {
            throw UsageError(
                "-o \(output.printable) would overwrite the picture of \(option); give another name, or add --force")
        }
    }

    var schedule: FrameSchedule {
        FrameSchedule(
            duration: settings.duration ?? 0.5, framesPerSecond: settings.framesPerSecond ?? 30,
            timing: settings.timing ?? .easeInEaseOut,
            hold: settings.hold ?? 0)
    }

    private func checkPixels(_ size: PixelSize) throws(UsageError) {
        let pixels = TransitionStage.pixels(of: size, scale: settings.scale ?? 1)
        guard max(pixels.width, pixels.height) <= TransitionStage.maximumSide else {
            throw UsageError(
                "--size \(size) at scale \(settings.scale ?? 1) is \(pixels) pixels; no side may have more than "
                    + "\(TransitionStage.maximumSide)")
        }
    }

    func run(on console: Console) async -> ExitCode {
        if target == .standardOutput, let code = console.refusePictureOnTerminal(Self.name, "-o -") { return code }
        do throws(WebImageError) {
            let record = try await TransitionRun(command: self, console: console).run()
            tell(record, on: console)
            return console.hasLostOutput ? .failed : .done
        } catch {
            if !error.isCancelled { console.printError("transition: \(error.reason)") }
            if report.isJSON { console.printLine(JSON.line(TransitionRecord(error: ErrorRecord(error)))) }
            return .failed
        }
    }

    private func tell(_ record: TransitionRecord, on console: Console) {
        let line = report.isJSON ? JSON.line(record) : record.text
        if report.isQuiet && !report.isJSON { return }
        if target == .standardOutput { console.printLineBesideOutput(line) } else { console.printLine(line) }
    }
}
