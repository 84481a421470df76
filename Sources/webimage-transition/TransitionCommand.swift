import WebImage
import WebImageCommandLine

/// `webimage transition`: draws a transition as a view shows it.
struct TransitionCommand: Command {
    static let name = "transition"
    static let summary = "Draw a transition from one picture to another as an animation"
    static let synopsis = ["--from URL|PATH --to URL|PATH -o FILE.webp|DIR [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [
            .value("from", .text("URL|PATH"), \.from, help: "what the view shows before; nothing, if left out"),
            .value("to", .text("URL|PATH"), \.to, help: "what it shows afterwards; nothing, if left out"),
            .value(
                "output", letter: "o", .text("FILE|DIR"), \.output,
                help: "FILE.webp, an animation; DIR/ or a name like DIR/%04d.png, a PNG for each\nframe; "
                    + "- is standard output"),
            .value("effect", .effect, \.effect, help: "what is seen; crossDissolve by default"),
            .value("duration", .number(0.01...60), \.duration, help: "seconds; 0.5 by default"),
            .value("fps", .integer(1...120), \.framesPerSecond, help: "frames a second, 1 to 120; 30 by default"),
            .value(
                "timing", .timing, \.timing,
                help: "linear, ease, ease-in, ease-out, ease-in-out (the default), spring,\n"
                    + "spring:DAMPING[,VELOCITY], or a curve's X1,Y1,X2,Y2"),
            .value("size", .pixelSize, \.size, help: "the view's size in points; that of the new picture by default"),
            .value("scale", .number(1...4), \.scale, help: "pixels per point, 1 to 4; 1 by default"),
            .value("fit", .fit, \.fit, help: "how pictures lie in the view; contain by default"),
            .value("hold", .number(0...60), \.hold, help: "seconds that both ends of an animation stay; 0 by default"),
            .value("quality", .integer(1...100), \.quality, help: "quality of an animation, 1 to 100; 90 by default"),
        ]
    }
    static var notes: String {
        let names = TransitionEffect.all.map(\.name).joined(separator: ", ")
        return """
            \("The effects are \(names).".wrapped(to: 116).joined(separator: "\n"))

            Nothing is shown on a display, and none is needed. The first frame is what the view shows before, the last one
            what it shows afterwards. Where no picture is, the frames are transparent. Numbers of frames begin at 0. Frames
            that look the same are one in an animation.

            The output is told in one line: frames, pixel size, bytes, milliseconds that it took, and the name. With --json
            the line is an object: effect, frames, width, height, bytes, milliseconds, output, and for failures error: {code,
            kind, stage, message, status}. Fields that do not apply are left out.
            """
    }

    var report = ReportOptions()
    var from: String?
    var to: String?
    var output: String?
    var effect: TransitionEffect?
    var duration: Double?
    var framesPerSecond: Int?
    var timing: TimingFunction?
    var size: PixelSize?
    var scale: Double?
    var fit: ContentFit?
    var hold: Double?
    var quality: Int?
    private(set) var target = FrameTarget.standardOutput

    mutating func prepare(operands: [String]) throws(UsageError) {
        if let operand = operands.first {
            throw UsageError("\(operand.printable): pictures are given as --from \(operand.printable) or --to …")
        }
        guard from != nil || to != nil else { throw UsageError("no picture; give --from PATH and --to PATH") }
        guard let output else { throw UsageError("no output; add -o FILE.webp, or -o DIR/ for PNGs") }
        target = try FrameTarget(output)
        if !target.isAnimation, hold != nil { throw UsageError("--hold is for animations; write -o FILE.webp") }
        if !target.isAnimation, quality != nil { throw UsageError("--quality is for animations; PNG loses nothing") }
        if let size { try checkPixels(size) }
        let outputs = Set(target.files(frameCount: schedule.frames.count).compactMap(FileIdentity.init))
        for (option, address) in [("--from", from), ("--to", to)] {
            guard let file = address.flatMap({ Operand($0).file }), outputs.contains(file) else { continue }
            throw UsageError("-o \(output.printable) would overwrite the picture of \(option); give another name")
        }
    }

    var schedule: FrameSchedule {
        FrameSchedule(
            duration: duration ?? 0.5, framesPerSecond: framesPerSecond ?? 30, timing: timing ?? .easeInEaseOut,
            hold: hold ?? 0)
    }

    private func checkPixels(_ size: PixelSize) throws(UsageError) {
        let pixels = TransitionStage.pixels(of: size, scale: scale ?? 1)
        guard max(pixels.width, pixels.height) <= TransitionStage.maximumSide else {
            throw UsageError(
                "--size \(size) at scale \(scale ?? 1) is \(pixels) pixels; no side may have more than "
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
