import WebImage

/// The options of `webimage transition`, which `webimage` describes and its companion program applies.
package struct TransitionOptions: Sendable {
    package var from: String?
    package var to: String?
    package var output: String?
    package var effect: TransitionEffect?
    package var duration: Double?
    package var framesPerSecond: Int?
    package var timing: TimingFunction?
    package var size: PixelSize?
    package var scale: Double?
    package var fit: ContentFit?
    package var hold: Double?
    package var quality: Int?
    package var rules = OutputRules()

    package init() {}

    package static let name = "transition"
    package static let summary = "Draw a transition from one picture to another as an animation"
    package static let synopsis = ["--from URL|PATH --to URL|PATH -o FILE.webp|DIR [OPTION…]"]

    /// The options that set this property of a command.
    package static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "from", .text("URL|PATH", completion: .files), property.appending(path: \.from),
                help: "what the view shows before; nothing, if left out"),
            .value(
                "to", .text("URL|PATH", completion: .files), property.appending(path: \.to),
                help: "what it shows afterwards; nothing, if left out"),
            .value(
                "output", letter: "o", .text("FILE|DIR", completion: .files), property.appending(path: \.output),
                help: "FILE.webp, an animation; DIR/ or a name like DIR/%04d.png, a PNG for each\nframe; "
                    + "- is standard output"),
            .value(
                "effect", .effect, property.appending(path: \.effect),
                help: "what is seen; crossDissolve, or fade, by default"),
            .value(
                "duration", .number(0.01...60), property.appending(path: \.duration), help: "seconds; 0.5 by default"),
            .value(
                "fps", .integer(1...120), property.appending(path: \.framesPerSecond),
                help: "frames a second, 1 to 120; 30 by default"),
            .value(
                "timing", .timing, property.appending(path: \.timing),
                help: "linear, ease, ease-in, ease-out, ease-in-out (the default), spring,\n"
                    + "spring:DAMPING[,VELOCITY], or a curve's X1,Y1,X2,Y2"),
            .value(
                "size", .pixelSize, property.appending(path: \.size),
                help: "the view's size in points; that of the new picture by default"),
            .value(
                "scale", .number(1...4), property.appending(path: \.scale),
                help: "pixels per point, 1 to 4; 1 by default"),
            .value(
                "fit", .fit, property.appending(path: \.fit), help: "how pictures lie in the view; contain by default"),
            .value(
                "hold", .number(0...60), property.appending(path: \.hold),
                help: "seconds that both ends of an animation stay; 0 by default"),
            .value(
                "quality", .integer(1...100), property.appending(path: \.quality),
                help: "quality of an animation, 1 to 100; 90 by default"),
        ] + OutputRules.options(of: property.appending(path: \.rules))
    }

    package static var notes: String {
        let names = TransitionEffect.optionNames.joined(separator: ", ")
        return """
            \("The effects are \(names).".wrapped(to: 116).joined(separator: "\n"))

            Nothing is shown on a display, and none is needed. The first frame is what the view shows before, the last one what
            it shows afterwards. Where no picture is, the frames are transparent. Numbers of frames begin at 0. Frames that look
            the same are one in an animation. With --no-clobber frames that exist are left as they are, and no animation is
            drawn where its file exists.

            The output is told in one line: frames, pixel size, bytes, milliseconds that it took, and the name. With --json the
            line is an object: effect, frames, width, height, bytes, milliseconds, output, kept (true where the file existed and
            is left as it is), and for failures error: {code, kind, stage, message, status}. Fields that do not apply are left
            out.
            """
    }

    /// The command as data, without the program that runs it.
    package static var description: CommandDescription {
        CommandDescription(
            name: name, summary: summary, synopsis: synopsis,
            options: options(of: \Described.options).map(\.description)
                + ReportOptions.options(of: \Described.report).map(\.description),
            notes: notes, operands: .nothing)
    }

    private struct Described {
        var options = TransitionOptions()
        var report = ReportOptions()
    }
}
