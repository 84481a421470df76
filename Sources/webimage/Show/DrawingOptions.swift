import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The options of commands that draw in the terminal: where, and by what.
struct DrawingOptions: Sendable {
    var fit: ContentFit?
    var size: CellBox?
    var graphics: TerminalGraphics?
    var colors: TerminalColors?

    /// The options that set this property of a command.
    ///
    /// - Parameter place: What has the size of `--size`.
    static func options<Target>(
        of property: WritableKeyPath<Target, Self>, place: String
    ) -> [CommandOption<Target>] {
        [
            .value(
                "fit", .placeFit, property.appending(path: \.fit),
                help:
                    "how a picture lies in its place: contain, cover, fill or scale-down (whole and never\nenlarged), which is the default"
            ),
            .value(
                "size", .cellBox, property.appending(path: \.size),
                help: "the place of \(place) in characters, or one side (80x, x24);\nby default what there is"),
            .value(
                "format", .terminalGraphics, property.appending(path: \.graphics),
                help: "how to draw: \(TerminalGraphics.names); by default the best\nthat the terminal has"),
            .value(
                "colors", .terminalColors, property.appending(path: \.colors),
                help: "colours of characters: \(TerminalColors.names); by default what the\nterminal has"),
        ]
    }

    func screen(of console: Console) -> PictureScreen {
        PictureScreen(
            graphics: graphics, colors: colors, terminal: console.outputSize,
            environment: ProcessInfo.processInfo.environment)
    }

    func fitting(in grid: PictureGrid, on screen: PictureScreen) -> PictureFitting {
        PictureFitting(fit ?? .scaleDown, in: grid, on: screen)
    }
}

extension PictureFitting {
    /// Loads, decoded no larger than they are drawn, unless `loading` says otherwise.
    func pipeline(_ loading: LoadingOptions, concurrency: Int? = nil) -> LoadPipeline {
        var loading = loading
        if loading.thumbnail == nil, let box = decodeBox {
            loading.thumbnail = PixelBox(width: box.width, height: box.height)
        }
        return LoadPipeline(loading, concurrency: concurrency)
    }
}
